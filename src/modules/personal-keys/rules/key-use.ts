import type { Address } from '../../../core/address/address.ts';

/** A request of a key that the signer let pass: one for each nonce. The signer alone writes it. */
export type KeyUse = {
  readonly keyId: string;
  readonly nonce: string;
  readonly userId: string;
  readonly what: 'trade' | 'order';
  /** The intent, or the first order, that it was confirmed for. */
  readonly subject: string;
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  /** What it counts for the caps: lamports of a purchase, 0 of a sale. */
  readonly lamports: bigint;
  readonly at: number;
  /** When its person was notified; null = not yet. */
  readonly toldAt: number | null;
};

/** The key of an intent, or of a placing, that a program asked for. The idempotency key counts before the nonce. */
export function keyedKey({
  keyId,
  nonce,
  idempotencyKey,
}: {
  readonly keyId: string;
  readonly nonce: string;
  readonly idempotencyKey: string | null;
}): string {
  return `${KEYED_PREFIX}${keyId}:${idempotencyKey === null ? `n-${nonce}` : `k-${idempotencyKey}`}`;
}

export const KEYED_PREFIX = 'pkey:';
export const isKeyed = (idemKey: string): boolean => idemKey.startsWith(KEYED_PREFIX);

/** The personal key that an intent or a placing names; null where it names none. */
export function keyIdOf(idemKey: string): string | null {
  return isKeyed(idemKey) ? (idemKey.slice(KEYED_PREFIX.length).split(':')[0] ?? null) : null;
}

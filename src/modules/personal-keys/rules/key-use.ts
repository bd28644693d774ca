import type { Address } from '@tradepost/solana';

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

export const KEYED_PREFIX = 'pkey:';
export const isKeyed = (idemKey: string): boolean => idemKey.startsWith(KEYED_PREFIX);

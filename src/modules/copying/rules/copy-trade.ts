import type { Address } from '@tradepost/solana';
import type { Skip } from './judge-copy.ts';

/**
 * A leader's trade as one copy decided on it. `BUYING` and `SELLING` have an intent; `OWED` is a sale that is still to be made. `BOUGHT`,
 * `NOT_BOUGHT`, `SOLD` and `SKIPPED` are ends.
 */
export type CopyTradeStatus = 'SKIPPED' | 'BUYING' | 'BOUGHT' | 'NOT_BOUGHT' | 'OWED' | 'SELLING' | 'SOLD';

export type CopyTrade = {
  readonly copyId: string;
  readonly signature: string;
  /** The part of the leader's transaction: side and token. A swap of two tokens has two. */
  readonly leg: string;
  readonly userId: string;
  readonly leader: Address;
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  readonly status: CopyTradeStatus;
  readonly skip: Skip | null;
  readonly intentId: string | null;
  /** Lamports of a purchase, units of a sale; 0 for a skip. */
  readonly amount: bigint;
  /** Units that arrived of a purchase, or that a sale gave; 0 before its end. */
  readonly moved: bigint;
  /** Lamports that its transactions burnt which failed on the chain. */
  readonly burnt: bigint;
  /** Sales that ended without effect. */
  readonly tries: number;
  /** An owed sale is not tried before; epoch milliseconds. */
  readonly dueAt: number | null;
  readonly seenAt: number;
};

/** The key of the intent for one leader's trade. A sale that is tried again has a number behind it. */
export function copyKey(
  { copyId, signature, leg }: Pick<CopyTrade, 'copyId' | 'signature' | 'leg'>,
  tries = 0,
): string {
  const key = `${COPY_PREFIX}${copyId}:${signature}:${leg}`;
  return tries === 0 ? key : `${key}:${tries}`;
}
export const COPY_PREFIX = 'copy:';

/** The part of a leader's transaction that one token is. Each reading gives the same, with few facts of the transaction or many. */
export const legOf = ({ side, mint }: Pick<CopyTrade, 'side' | 'mint'>): string => `${side}-${mint}`;

/** The parts of a key of `copyKey`; null for any other key. */
export function copyOfKey(
  key: string,
): (Pick<CopyTrade, 'copyId' | 'signature' | 'leg'> & { readonly tries: number }) | null {
  const [prefix, copyId = '', signature = '', leg = '', tries = '0', ...more] = key.split(':');
  if (`${prefix}:` !== COPY_PREFIX || copyId === '' || signature === '' || more.length > 0) return null;
  return /^(buy|sell)-\w+$/.test(leg) && /^\d{1,6}$/.test(tries)
    ? { copyId, signature, leg, tries: Number(tries) }
    : null;
}

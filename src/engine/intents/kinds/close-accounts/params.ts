import type { Address } from '@tradepost/solana';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

/** An empty token account of the wallet's. */
export type EmptyAccount = {
  readonly account: Address;
  readonly tokenProgram: Address;
  /** The mint whose transfer fees may be withheld in it: they are harvested before it is closed. Absent where there are none. */
  readonly feeMint?: Address;
};

/** A token account of the wallet's that holds more lamports than the network asks of it today. */
export type ExcessAccount = { readonly account: Address; readonly tokenProgram: Address };

export type CloseAccountsParams = {
  readonly kind: 'close-accounts';
  /** Each once; with `excess` at least one and at most `MOST_CLOSED`. */
  readonly accounts: readonly EmptyAccount[];
  /** Those that stay and give back the lamports above their rent. Each once, none of `accounts`. Absent where there are none. */
  readonly excess?: readonly ExcessAccount[];
  /** Lamports that come back at least, from both together, as the screen showed them. */
  readonly rentLamports: bigint;
  readonly tier: PriorityTier;
};

/** More would not fit a transaction. */
export const MOST_CLOSED = 15;

/** The room of a transaction that closing these takes. One with fees takes that of two: its mint, and a harvest. */
export function roomOf(accounts: readonly Pick<EmptyAccount, 'feeMint'>[]): number {
  return accounts.reduce((sum, { feeMint }) => sum + (feeMint === undefined ? 1 : 2), 0);
}

/** As many of these, from the first on, as fit one transaction. */
export function fitting<T extends Pick<EmptyAccount, 'feeMint'>>(accounts: readonly T[]): readonly T[] {
  let room = MOST_CLOSED;
  return accounts.filter((account) => {
    const needed = roomOf([account]);
    if (needed > room) return false;
    room -= needed;
    return true;
  });
}

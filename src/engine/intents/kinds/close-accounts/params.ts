import type { Address } from '../../../../core/address/address.ts';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';

/** An empty token account of the wallet's. */
export type EmptyAccount = {
  readonly account: Address;
  readonly tokenProgram: Address;
  /** The mint whose transfer fees may be withheld in it: they are harvested before it is closed. Absent where there are none. */
  readonly feeMint?: Address;
};

export type CloseAccountsParams = {
  readonly kind: 'close-accounts';
  /** At least one, at most `MOST_CLOSED`, each once. */
  readonly accounts: readonly EmptyAccount[];
  /** Lamports that come back at least, as the screen showed them. */
  readonly rentLamports: bigint;
  readonly tier: PriorityTier;
};

/** More would not fit a transaction. */
export const MOST_CLOSED = 15;

/** As many of these, from the first on, as fit one transaction. One with fees takes the room of two: its mint, and a harvest. */
export function fitting<T extends Pick<EmptyAccount, 'feeMint'>>(accounts: readonly T[]): readonly T[] {
  let room = MOST_CLOSED;
  return accounts.filter(({ feeMint }) => {
    const needed = feeMint === undefined ? 1 : 2;
    if (needed > room) return false;
    room -= needed;
    return true;
  });
}

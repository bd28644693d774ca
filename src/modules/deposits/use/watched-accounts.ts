import type { Address } from '@tradepost/solana';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { DepositCursor, WatchedWallet } from '../store/deposit-store-port.ts';
import type { DepositPlace } from './tell-deposits.ts';

/** An account that is watched, and how far. */
export type WatchedAccount = {
  readonly account: Address;
  readonly place: DepositPlace;
  readonly since: number;
  /** The last transaction that is known; null = none. */
  signature: string | null;
  /** Lamports or units as of the last comparison; null = not compared yet. */
  held: bigint | null;
  /** Looks in vain since something seemed to have happened. */
  tries: number;
  /** Since when its next transaction is listed and not served; null = it is not. */
  unservedSince: number | null;
  /** Epoch milliseconds; null = nothing to look at. */
  nextLook: number | null;
  /** Its cursor is not saved yet. */
  changed: boolean;
};

export const cursorOf = ({ account, place, signature, held, since }: WatchedAccount): DepositCursor => ({
  account,
  walletId: place.walletId,
  signature,
  held,
  since,
});

type AccountDeps = {
  readonly chain: Pick<Chain, 'token'>;
  readonly programs: Pick<Programs, 'associatedTokenAddress'>;
};

/**
 * The accounts of wallets: each wallet itself, its token accounts that have a cursor, and the associated accounts of its holdings. Any
 * other is found by the transaction that makes it, which names the wallet.
 */
export async function accountsOfWallets(
  deps: AccountDeps,
  wallets: readonly WatchedWallet[],
): Promise<readonly WatchedAccount[]> {
  const programOf = rememberedPrograms(deps);
  const accounts: WatchedAccount[] = [];
  for (const { walletId, userId, address, createdAt, cursors, mints } of wallets) {
    const place = { walletId, userId, address };
    const known = new Map(cursors.map((cursor) => [cursor.account, cursor]));
    const since = known.get(address)?.since ?? createdAt;
    const wanted = new Set([address, ...known.keys()]);
    for (const mint of mints) {
      const program = await programOf(mint);
      if (program !== null) wanted.add(deps.programs.associatedTokenAddress(address, mint, program));
    }
    for (const account of wanted) {
      const cursor = known.get(account) ?? { account, signature: null, held: null, since };
      accounts.push(newAccount(place, cursor));
    }
  }
  return accounts;
}

export function newAccount(
  place: DepositPlace,
  known: Pick<WatchedAccount, 'account' | 'signature' | 'held' | 'since'>,
): WatchedAccount {
  const { account, signature, held, since } = known;
  return {
    account,
    signature,
    held,
    since,
    place,
    tries: 0,
    unservedSince: null,
    nextLook: null,
    changed: false,
  };
}

/** Null while the chain does not answer; then that account waits for the next start. */
function rememberedPrograms({ chain }: AccountDeps): (mint: Address) => Promise<Address | null> {
  const known = new Map<Address, Address | null>();
  return async (mint) => {
    const found = known.get(mint);
    if (found !== undefined) return found;
    const program = await chain.token(mint).then(
      (token) => token?.tokenProgram ?? null,
      (error: unknown) => {
        if (!isAppError(error)) throw error;
        return null;
      },
    );
    known.set(mint, program);
    return program;
  };
}

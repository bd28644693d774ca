import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { User } from '../../settings/rules/user.ts';
import type { WalletFunds } from '../rules/agreed-funds.ts';
import { WALLET_GRACE_DAYS, type Wallet } from '../rules/wallet.ts';
import type { WalletStore } from '../store/wallet-store-port.ts';

export type WalletRow = {
  readonly wallet: Wallet;
  readonly active: boolean;
  /** The chain's answer; null when the chain did not answer: unknown is not zero. */
  readonly funds: WalletFunds | null;
};

const GRACE_MS = WALLET_GRACE_DAYS * 86_400_000;

/** The person's wallets, oldest first, each with its funds as two nodes tell them. Asks for all of them at once. */
export async function listWallets(
  deps: {
    readonly wallets: Pick<WalletStore, 'listByUser'>;
    readonly fundsOf: (
      wallets: readonly Pick<Wallet, 'address'>[],
    ) => Promise<readonly (WalletFunds | null)[]>;
  },
  user: Pick<User, 'id' | 'activeWalletId'>,
): Promise<readonly WalletRow[]> {
  const wallets = await deps.wallets.listByUser(user.id);
  const funds = await deps.fundsOf(wallets);
  return wallets.map((wallet, index) => ({
    wallet,
    active: wallet.id === user.activeWalletId,
    funds: funds[index] ?? null,
  }));
}

/** A wallet that can be brought back; `restorableUntil` is null for one that holds something, or may: it has no end. */
export type DeletedWallet = { readonly wallet: Wallet; readonly restorableUntil: number | null };

/**
 * Deleted wallets that can still be restored: those that hold something, or may, before the empty ones, and of each the newest deletion
 * first. Asks the chain for the holdings of each.
 */
export async function listDeletedWallets(
  deps: {
    readonly wallets: Pick<WalletStore, 'listByUser'>;
    readonly chain: Pick<Chain, 'balance' | 'holdings'>;
    readonly clock: Clock;
  },
  userId: string,
): Promise<readonly DeletedWallet[]> {
  const all = await deps.wallets.listByUser(userId, { deleted: true });
  const deleted = await Promise.all(
    all
      .filter(({ deletedAt }) => deletedAt !== null)
      .toSorted((a, b) => (b.deletedAt ?? 0) - (a.deletedAt ?? 0))
      .map(async (wallet) => ({ wallet, funds: await walletFunds(deps.chain, wallet).catch(() => null) })),
  );
  // Unknown is not empty.
  const mayHold = ({ funds }: (typeof deleted)[number]): boolean => funds === null || !isEmpty(funds);
  const empty = deleted.filter((one) => !mayHold(one) && !isExpired(one.wallet, deps.clock.now()));
  return [
    ...deleted.filter(mayHold).map(({ wallet }) => ({ wallet, restorableUntil: null })),
    ...empty.map(({ wallet }) => ({ wallet, restorableUntil: graceEnd(wallet) })),
  ];
}

export const isEmpty = ({ lamports, tokens }: Omit<WalletFunds, 'inDoubt'>): boolean =>
  lamports === 0n && tokens.length === 0;

/** Whether a deleted wallet has outlived the days in which any one can be restored. */
export const isExpired = (wallet: Pick<Wallet, 'deletedAt'>, now: number): boolean =>
  wallet.deletedAt !== null && graceEnd(wallet) <= now;

const graceEnd = ({ deletedAt }: Pick<Wallet, 'deletedAt'>): number => (deletedAt ?? 0) + GRACE_MS;

/** Lamports and the tokens with a balance, by the word of one node; in doubt where its list was cut. Throws CHAIN_UNREACHABLE. */
export async function walletFunds(
  chain: Pick<Chain, 'balance' | 'holdings'>,
  wallet: Pick<Wallet, 'address'>,
): Promise<WalletFunds> {
  const [lamports, holdings] = await Promise.all([
    chain.balance(wallet.address),
    chain.holdings(wallet.address),
  ]);
  const inDoubt = holdings.some(({ ofCutList }) => ofCutList === true);
  return { lamports, tokens: holdings.filter(({ amount }) => amount > 0n), inDoubt };
}

import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { passFree } from '../../guard/rules/pass-free.ts';
import type { Wallet } from '../rules/wallet.ts';
import { freeWalletName, nameHolders } from '../rules/wallet-name.ts';
import { reservedNames } from './reserved-names.ts';
import { walletLimit } from './wallet-limit.ts';

export type OpenWalletDeps = {
  readonly db: Pick<Database, 'transact'>;
  readonly vault: Pick<Vault, 'create'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly maxWallets: number;
};

/** Deleted wallets keep their sealed keys; one person may leave behind this many times the limit. */
const LIFETIME_FACTOR = 10;

/**
 * A new deposit wallet with its sealed key; the first one becomes the active one. `expectedCount` is the number of
 * wallets on the screen that was tapped: when there are more by now, a repeated tap got here, and the newest wallet comes
 * back instead of another. Counted under the person's lock. Throws WALLET_LIMIT_REACHED, USER_NOT_FOUND.
 */
export async function openDepositWallet(
  deps: OpenWalletDeps,
  input: { readonly userId: string; readonly expectedCount: number },
): Promise<{ readonly wallet: Wallet; readonly created: boolean; readonly count: number }> {
  const walletId = deps.ids.ulid();
  const secret = await deps.vault.create({ walletId, userId: input.userId });
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const all = await stores.wallets.listByUser(user.id, { deleted: true });
    const active = all.filter((wallet) => wallet.deletedAt === null);
    const newest = active.at(-1);
    if (active.length > input.expectedCount && newest !== undefined) {
      return { wallet: newest, created: false, count: active.length };
    }
    const max = await walletLimit(stores.shop, deps.maxWallets, user.id);
    if (active.length >= max || all.length >= max * LIFETIME_FACTOR) {
      throw new AppError('WALLET_LIMIT_REACHED', { max });
    }
    const now = deps.clock.now();
    const reserved = await reservedNames(stores, user.id, now);
    const wallet: Wallet = {
      id: walletId,
      userId: user.id,
      name: freeWalletName(
        nameHolders(reserved, walletId, now).map(({ name }) => name),
        'made',
      ),
      address: secret.publicKey,
      createdAt: now,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    };
    const passed = passFree('wallet-make', user.id);
    await stores.wallets.insert(passed, wallet, secret);
    if (user.activeWalletId === null) await stores.users.activate(passed, user.id, wallet.id);
    const details = { walletId, address: wallet.address };
    await stores.auditLog.record(ownAct(user.id, wallet.createdAt, 'wallet-created', details));
    return { wallet, created: true, count: active.length + 1 };
  });
}

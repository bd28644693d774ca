import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { walletFunds } from '../../wallets/use/list-wallets.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import type { GuardRules } from '../rules/guard.ts';
import type { RightPin } from '../rules/right-pin.ts';
import { passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

export type DeleteWalletDeps = {
  readonly db: Pick<Database, 'transact' | 'wallets'>;
  readonly chain: Pick<Chain, 'balance' | 'holdings'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly guardRules: GuardRules;
  readonly vault: Pick<Vault, 'verifyPin'>;
};

/**
 * Puts a wallet away; its sealed key is kept, and it can be restored for 30 days and for as long as it holds anything. One that holds
 * anything goes only when `typedName` is its name (WALLET_NOT_EMPTY otherwise). It also takes the person's proof, because a thief could
 * hide it (PIN_REQUIRED without one, and the errors of `verifyPin`). Never deleted are the active wallet while there are others, and one
 * with open transactions or orders (WALLET_IN_USE). Nothing is deleted when the chain cannot be asked (CHAIN_UNREACHABLE), because the
 * wallet's holdings are unknown then. Deleting the last wallet leaves the person where they started.
 */
export async function deleteWallet(
  deps: DeleteWalletDeps,
  input: {
    readonly userId: string;
    readonly walletId: string;
    readonly typedName: string | null;
    readonly pin: string | null;
  },
): Promise<Wallet> {
  const seen = await ownWallet(deps.db.wallets, input);
  const funds = await walletFunds(deps.chain, seen);
  const empty = funds.lamports === 0n && funds.tokens.length === 0;
  let proof: RightPin | null = null;
  if (!empty) {
    if (input.typedName?.trim() !== seen.name) {
      throw new AppError('WALLET_NOT_EMPTY', {
        name: seen.name,
        lamports: funds.lamports,
        tokens: funds.tokens.length,
      });
    }
    if (input.pin === null) throw new AppError('PIN_REQUIRED', {});
    proof = await verifyPin(deps, { userId: input.userId, pin: input.pin });
  }
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const passed = await passGate(stores, deps, {
      act: empty ? 'wallet-delete' : 'wallet-delete-holding',
      userId: user.id,
      proof,
    });
    const wallet = await ownWallet(stores.wallets, input);
    const openIntents =
      (await stores.intents.countOpenByWallet(wallet.id)) +
      (await stores.orders.countOpenByWallet(wallet.id));
    if (openIntents > 0) throw new AppError('WALLET_IN_USE', { name: wallet.name, openIntents });
    if (user.activeWalletId === wallet.id) {
      const all = await stores.wallets.listByUser(user.id);
      if (all.length > 1) throw new AppError('WALLET_IN_USE', { name: wallet.name, openIntents: 0 });
      await stores.users.activate(passed, user.id, null);
    }
    const deletedAt = deps.clock.now();
    await stores.wallets.setDeletedAt(passed, wallet.id, deletedAt);
    const details = { walletId: wallet.id, address: wallet.address };
    await stores.auditLog.record(ownAct(user.id, deletedAt, 'wallet-deleted', details));
    return { ...wallet, deletedAt };
  });
}

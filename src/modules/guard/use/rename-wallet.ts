import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { nameRefusal, walletName } from '../../wallets/rules/wallet-name.ts';
import { encodeWalletNotice } from '../../wallets/rules/wallet-notice.ts';
import { isEmpty, walletFunds } from '../../wallets/use/list-wallets.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { reservedNames } from '../../wallets/use/reserved-names.ts';
import { type GateDeps, passGate } from './pass-gate.ts';

/**
 * Renames the person's wallet; its former name stays reserved for 30 days. The person has a notice where the wallet holds anything, or
 * may: they know their money by its name. Throws TEXT_INVALID, WALLET_NOT_FOUND, and the refusal of `nameRefusal`.
 */
export async function renameWallet(
  deps: GateDeps & {
    readonly db: Pick<Database, 'transact' | 'wallets'>;
    readonly chain: Pick<Chain, 'balance' | 'holdings'>;
    readonly ids: Ids;
  },
  input: { readonly userId: string; readonly walletId: string; readonly name: string },
): Promise<Wallet> {
  const name = walletName(input.name);
  const { userId } = input;
  // Unknown is not empty. Before the transaction: the chain may take its time.
  const funds = await walletFunds(deps.chain, await ownWallet(deps.db.wallets, input)).catch(() => null);
  return deps.db.transact(async (stores) => {
    if ((await stores.users.lock(userId)) === null) throw new AppError('USER_NOT_FOUND', {});
    const wallet = await ownWallet(stores.wallets, input);
    const passed = await passGate(stores, deps, { act: 'wallet-rename', userId });
    const now = deps.clock.now();
    const refusal = nameRefusal(name, wallet, await reservedNames(stores, userId, now), now);
    if (refusal !== null) throw refusal;
    await stores.wallets.rename(passed, wallet.id, name);
    const { id: walletId, address, name: was } = wallet;
    if (was === name) return wallet;
    if (funds === null || !isEmpty(funds)) {
      const payload = encodeWalletNotice({ walletId, event: 'renamed', was });
      await addNotices(deps, stores, [{ userId, intentId: null, kind: 'wallet', payload }]);
    }
    await stores.auditLog.record(ownAct(userId, now, 'wallet-renamed', { walletId, address, was, name }));
    return { ...wallet, name };
  });
}

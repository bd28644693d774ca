import { AppError } from '../../../core/errors/app-error.ts';
import { ownAct } from '../../../engine/audit/rules.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { mayBeAsked, type Receiving } from '../../wallets/rules/receiving-wallet.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { encodeWalletNotice } from '../../wallets/rules/wallet-notice.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { assertMayAct, passGate } from './pass-gate.ts';
import type { SwitchDeps } from './switch-wallet.ts';
import { provenBefore } from './verify-pin.ts';

/**
 * Asks that an imported wallet receives like one that was made here (`wallet-confirm`), or that payouts go to this wallet
 * (`payout-wallet`). Returns the moment from which it counts, in epoch milliseconds: after the long wait. Until then Stop, a freeze and a
 * new PIN take it back, and the person has a notice. The signer compares the PIN and certifies the moment, for a row alone proves nothing.
 * Throws WALLET_NOT_FOUND, BUTTON_STALE where it is so already, waits or cannot be, and the errors of the gate and of the PIN.
 */
export async function letReceive(
  deps: Omit<SwitchDeps, 'vault'> & { readonly vault: Pick<Vault, 'certifyReceiving'> },
  input: {
    readonly userId: string;
    readonly walletId: string;
    readonly act: Receiving;
    readonly pin: string;
  },
): Promise<{ readonly wallet: Wallet; readonly at: number }> {
  const { userId, act, pin } = input;
  await assertMayAct(deps.db, deps, { act, userId });
  await ownWallet(deps.db.wallets, input);
  const { at, certificate } = await deps.vault.certifyReceiving({
    userId,
    walletId: input.walletId,
    act,
    pin,
  });
  const proof = provenBefore(userId);
  return deps.db.transact(async (stores) => {
    if ((await stores.users.lock(userId)) === null) throw new AppError('USER_NOT_FOUND', {});
    const now = deps.clock.now();
    const passed = await passGate(stores, deps, { act, userId, proof });
    const wallet = await ownWallet(stores.wallets, input);
    if (!mayBeAsked(act, wallet, now)) throw new AppError('BUTTON_STALE', {});
    const change = act === 'wallet-confirm' ? { confirmedAt: at } : { payoutFrom: at };
    await stores.wallets.letReceive(passed, wallet.id, { ...change, certificate });
    const { id: walletId, address } = wallet;
    await stores.auditLog.record(ownAct(userId, now, `${act}-asked`, { walletId, address, at }));
    // Without a wait there is nothing to stop, and the screen says the result.
    if (at > now) {
      const payload = encodeWalletNotice({ walletId, event: `${act}-asked`, was: null });
      await addNotices(deps, stores, [{ userId, intentId: null, kind: 'wallet', payload }]);
    }
    return { wallet: { ...wallet, ...change }, at };
  });
}

import { AppError } from '../../../core/errors/app-error.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { ownWallet } from '../../wallets/use/own-wallet.ts';
import { assertMayAct, type GateDeps, passGate } from './pass-gate.ts';
import { verifyPin } from './verify-pin.ts';

export type SwitchDeps = GateDeps & {
  readonly db: Pick<Database, 'transact' | 'wallets' | 'guards' | 'flags'>;
  readonly ids: Ids;
  readonly vault: Pick<Vault, 'verifyPin'>;
};

/** The act that a switch to this wallet is: an imported one takes the PIN of who has one. */
export const switchActOf = ({
  origin,
}: Pick<Wallet, 'origin'>): 'wallet-switch' | 'wallet-switch-imported' =>
  origin === 'imported' ? 'wallet-switch-imported' : 'wallet-switch';

/**
 * Makes the person's wallet the one that trades and pays. Under the person's lock, so that a deletion cannot slip between. Throws
 * WALLET_NOT_FOUND, and the errors of the gate and `verifyPin`: PIN_REQUIRED for an imported wallet where the person has a PIN and `pin`
 * is null.
 */
export async function switchWallet(
  deps: SwitchDeps,
  input: { readonly userId: string; readonly walletId: string; readonly pin: string | null },
): Promise<Wallet> {
  const { userId, pin } = input;
  const act = switchActOf(await ownWallet(deps.db.wallets, input));
  await assertMayAct(deps.db, deps, { act, userId });
  const proof = pin === null ? null : await verifyPin(deps, { userId, pin });
  return deps.db.transact(async (stores) => {
    if ((await stores.users.lock(userId)) === null) throw new AppError('USER_NOT_FOUND', {});
    const passed = await passGate(stores, deps, { act, userId, proof });
    const wallet = await ownWallet(stores.wallets, input);
    await stores.users.activate(passed, userId, wallet.id);
    return wallet;
  });
}

import { AppError } from '../../../core/errors/app-error.ts';
import { assertMayAct } from '../../../modules/guard/use/pass-gate.ts';
import { mayBeAsked } from '../../../modules/wallets/rules/receiving-wallet.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { SignerDeps } from './deps.ts';

type Deps = Pick<SignerDeps, 'db' | 'clock' | 'certifier' | 'guardRules'> & {
  readonly verifyPin: Vault['verifyPin'];
};

/**
 * The signer's word for the moment from which a wallet receives. The wallet is certified and the person's, the gate lets the act pass, and
 * the PIN was right now. The moment is the signer's own: now and the long wait. Nothing is stored.
 */
export async function certifyReceiving(
  deps: Deps,
  { userId, walletId, act, pin }: Parameters<Vault['certifyReceiving']>[0],
): ReturnType<Vault['certifyReceiving']> {
  const { db, clock, certifier } = deps;
  // Every refusal comes before the PIN is compared: a guesser must not learn whether a PIN is right.
  await assertMayAct(db, deps, { act, userId });
  const wallet = await db.wallets.find(walletId);
  if (wallet === null || wallet.userId !== userId || wallet.deletedAt !== null)
    throw new AppError('WALLET_NOT_FOUND', {});
  if (!mayBeAsked(act, wallet, clock.now())) throw new AppError('BUTTON_STALE', {});
  await deps.verifyPin({ userId, pin });
  const at = clock.now() + deps.guardRules.longDelayMs;
  return { at, certificate: certifier.receiving({ walletId, userId, act, at }) };
}

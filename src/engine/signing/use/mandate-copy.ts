import { AppError } from '../../../core/errors/app-error.ts';
import { COPY_LIMITS, isWider, misfitOf } from '../../../modules/copying/rules/copy.ts';
import { assertMayUnlock } from '../../../modules/guard/rules/unlock.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import { assertCopyCertified } from './copy-mandate.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/** Clocks of two processes differ by less. */
const CLOCKS_MS = 60_000;

type Deps = Pick<SignerDeps, 'db' | 'certifier' | 'clock' | 'guardRules'> & {
  readonly verifyPin: Vault['verifyPin'];
};

/**
 * The certificate of a copy as its person agrees to it: the mandate for its purchases. The PIN is compared here, also within unlocked
 * hours, and one that is younger than its wait does not do. Without a PIN the rules may only be narrower than those of the row, which was
 * right, with the same end. Nothing is stored. Throws the errors of `verifyPin`, PIN_TOO_NEW, ROW_FORGED, POLICY_DENIED.
 */
export async function mandateCopy(
  deps: Deps,
  { copy, pin }: Parameters<Vault['mandateCopy']>[0],
): Promise<string> {
  const { db, clock } = deps;
  const { userId, walletId, rules, lockEpoch, until } = copy;
  if ((await db.users.find(userId)) === null) denySignature('unknown-person');
  const wallet = await db.wallets.find(walletId);
  if (wallet?.userId !== userId) denySignature('foreign-wallet');
  if (misfitOf(rules, deps.guardRules.allSpendingLamports) !== null) denySignature('copy-mandate');
  const before = await db.copies.find(copy.id);
  if (
    before !== null &&
    (before.userId !== userId || before.leader !== copy.leader || before.status === 'ENDED')
  )
    denySignature('copy-mandate');
  const guard = await db.guards.find(userId);
  if (pin === null) {
    if (before === null) throw new AppError('PIN_REQUIRED', {});
    assertCopyCertified(deps, before);
    const isSame = before.walletId === walletId && before.until === until && before.lockEpoch === lockEpoch;
    if (!isSame || isWider(rules, before.rules)) throw new AppError('PIN_REQUIRED', {});
    return deps.certifier.copy(copy);
  }
  assertMayUnlock(guard, clock);
  if (lockEpoch !== guard.lockEpoch || until > clock.now() + COPY_LIMITS.mandateMs + CLOCKS_MS)
    denySignature('copy-mandate');
  await deps.verifyPin({ userId, pin });
  return deps.certifier.copy(copy);
}

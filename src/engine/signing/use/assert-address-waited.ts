import { AppError } from '../../../core/errors/app-error.ts';
import { isOver } from '../../../core/time/due.ts';
import { usableAt } from '../../../modules/guard/rules/address-book.ts';
import { recipientOf } from '../../intents/kinds/rules.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { SignerDeps } from './deps.ts';

/**
 * Returns where the wait of a withdrawal's address is over, by the certified address and guard: the moment in the intent's row is not
 * sealed, and a writer of the database could take it away. Throws SIGNING_PAUSED while it lasts, and ADDRESS_NOT_READY for an address
 * that is in no book.
 */
export async function assertAddressWaited(
  { db, clock, guardRules }: Pick<SignerDeps, 'db' | 'clock' | 'guardRules'>,
  { params, userId, walletId }: Pick<Intent, 'params' | 'userId' | 'walletId'>,
): Promise<void> {
  const recipient = recipientOf(params);
  if (recipient === null || userId === null || guardRules.delayMs === 0) return;
  const [entry, guard] = await Promise.all([
    db.addressBook.find(walletId, recipient),
    db.guards.find(userId),
  ]);
  if (entry === null) throw new AppError('ADDRESS_NOT_READY', { until: null });
  // Put off, not refused: the clock of the process that judged it may run ahead of this one.
  if (!isOver(usableAt(entry, guard, guardRules), clock)) throw new AppError('SIGNING_PAUSED', {});
}

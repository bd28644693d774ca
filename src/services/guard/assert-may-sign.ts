import { AppError } from '../../core/errors/app-error.ts';
import { isFrozen } from '../../core/guard/freeze.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Stores } from '../../core/ports/stores.ts';

/**
 * The switches of the signing path, asked when an attempt is begun and again just before the key is used: the operator's,
 * the person's freeze, and for a withdrawal that waited, whether its address is still in the book
 * and its wait was not restarted. Throws
 * SIGNING_PAUSED (the step is put off) and ADDRESS_NOT_READY (the intent is refused).
 */
export async function assertMaySign(
  deps: {
    readonly db: Pick<Stores, 'flags' | 'guards' | 'addressBook'>;
    readonly clock: Clock;
  },
  intent: Intent,
): Promise<void> {
  const { db, clock } = deps;
  if (await db.flags.isSet('signing-paused')) throw new AppError('SIGNING_PAUSED', {});
  // The service's own payouts belong to nobody.
  if (intent.userId === null) return;
  const { params } = intent;
  const isWithdrawal = params.kind === 'withdraw-sol' || params.kind === 'withdraw-token';
  if (isWithdrawal && (await db.flags.isSet('withdrawals-paused'))) throw new AppError('SIGNING_PAUSED', {});
  const guard = await db.guards.find(intent.userId);
  if (isFrozen(guard, clock.now())) throw new AppError('SIGNING_PAUSED', {});
  if (!isWithdrawal || intent.notBefore === null) return;
  const entry = await db.addressBook.find(intent.walletId, params.destination);
  // Added again, or the wait restarted by a new PIN, after the withdrawal was written down: its wait is void.
  const since = Math.max(entry?.addedAt ?? Number.POSITIVE_INFINITY, guard.delayFrom ?? 0);
  if (since > intent.createdAt) throw new AppError('ADDRESS_NOT_READY', { until: null });
}

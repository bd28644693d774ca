import { AppError } from '../../core/errors/app-error.ts';
import { isFrozen } from '../../core/guard/freeze.ts';
import type { Guard } from '../../core/guard/guard.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Flag } from '../../core/ports/flag-store.ts';
import type { Stores } from '../../core/ports/stores.ts';

/**
 * The switches of the signing path: the operator's, the person's freeze, and for a withdrawal that waited, whether its
 * address is still in the book and its wait was not restarted. Asked when an attempt is begun and just before the key is
 * used, so that nothing is computed or signed in vain. Throws SIGNING_PAUSED (the step is put off) and ADDRESS_NOT_READY
 * (the intent is refused).
 */
export async function assertMaySign(
  { db, clock }: { readonly db: Pick<Stores, 'flags' | 'guards' | 'addressBook'>; readonly clock: Clock },
  intent: Intent,
): Promise<void> {
  await judge({ ...db, now: clock.now() }, intent, {
    isSet: (flag) => db.flags.isSet(flag),
    guardOf: (userId) => db.guards.find(userId),
  });
}

/**
 * The same question for the last time, inside the transaction that stores the signature and under the locks of whoever
 * flips a switch: what is frozen, paused or removed before that commit stops it, what comes later finds the signature stored.
 */
export async function assertMayStoreSignature(
  stores: Pick<Stores, 'flags' | 'guards' | 'addressBook'>,
  intent: Intent,
  now: number,
): Promise<void> {
  const on = await stores.flags.hold();
  if (on.has('quarantined')) throw new AppError('SIGNING_PAUSED', {});
  await judge({ addressBook: stores.addressBook, now }, intent, {
    isSet: async (flag) => on.has(flag),
    guardOf: (userId) => stores.guards.lock(userId),
  });
}

async function judge(
  { addressBook, now }: Pick<Stores, 'addressBook'> & { readonly now: number },
  intent: Intent,
  ask: {
    readonly isSet: (flag: Flag) => Promise<boolean>;
    readonly guardOf: (userId: string) => Promise<Guard>;
  },
): Promise<void> {
  if (await ask.isSet('signing-paused')) throw new AppError('SIGNING_PAUSED', {});
  // The service's own payouts belong to nobody.
  if (intent.userId === null) return;
  const { params } = intent;
  const isWithdrawal = params.kind === 'withdraw-sol' || params.kind === 'withdraw-token';
  if (isWithdrawal && (await ask.isSet('withdrawals-paused'))) throw new AppError('SIGNING_PAUSED', {});
  const guard = await ask.guardOf(intent.userId);
  if (isFrozen(guard, now)) throw new AppError('SIGNING_PAUSED', {});
  if (!isWithdrawal || intent.notBefore === null) return;
  const entry = await addressBook.find(intent.walletId, params.destination);
  // Added again, or the wait restarted by a new PIN, after the withdrawal was written down: its wait is void.
  const since = Math.max(entry?.addedAt ?? Number.POSITIVE_INFINITY, guard.delayFrom ?? 0);
  if (since > intent.createdAt) throw new AppError('ADDRESS_NOT_READY', { until: null });
}

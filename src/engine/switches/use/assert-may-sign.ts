import { AppError } from '../../../core/errors/app-error.ts';
import { earliestOf } from '../../../core/time/due.ts';
import { isFrozen } from '../../../modules/guard/rules/freeze.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { recipientOf, rulesOf } from '../../intents/kinds/rules.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import type { Flag } from '../store-port.ts';

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
  await judge({ ...db, now: earliestOf(clock) }, intent, await standing(db, intent.userId));
}

/** The flags and the guard that may stop it. The service's own payouts belong to no person. */
async function standing(
  { flags, guards }: Pick<Stores, 'flags' | 'guards'>,
  userId: string | null,
): Promise<Standing> {
  if (userId !== null) return guards.findWithPauses(userId);
  return { guard: null, paused: new Set((await flags.pauses()).map(({ what }): Flag => `${what}-paused`)) };
}

/**
 * The same question for the last time, inside the transaction that stores the signature and under the locks of every switch change. A
 * freeze, pause or removal before that commit stops it; a later one finds the signature stored. `terms` are those of the attempt: a trade
 * over a venue or an aggregator that was paused since it was planned is put off, and planned anew without it.
 */
export async function assertMayStoreSignature(
  stores: Pick<Stores, 'flags' | 'guards' | 'addressBook'>,
  intent: Intent,
  { terms }: Pick<Attempt, 'terms'>,
  now: number,
): Promise<void> {
  const on = await stores.flags.hold();
  if (on.has('quarantined')) throw new AppError('SIGNING_PAUSED', {});
  if (terms?.route.some(({ pausedBy }) => pausedBy !== undefined && on.has(`${pausedBy}-paused`)))
    throw new AppError('SIGNING_PAUSED', {});
  const { addressBook, guards } = stores;
  const guard = intent.userId === null ? null : await guards.lock(intent.userId);
  await judge({ addressBook, now }, intent, { guard, paused: on });
}

/** `guard` is null where the intent has no person. */
type Standing = { readonly guard: Guard | null; readonly paused: ReadonlySet<Flag> };

async function judge(
  { addressBook, now }: Pick<Stores, 'addressBook'> & { readonly now: number },
  intent: Intent,
  { guard, paused }: Standing,
): Promise<void> {
  const { params } = intent;
  if (rulesOf(params.kind).stoppedBy.some((what) => paused.has(`${what}-paused`)))
    throw new AppError('SIGNING_PAUSED', {});
  if (guard === null) return;
  if (isFrozen(guard, now)) throw new AppError('SIGNING_PAUSED', {});
  const recipient = recipientOf(params);
  if (recipient === null || intent.notBefore === null) return;
  const entry = await addressBook.find(intent.walletId, recipient);
  // Added again, or the wait restarted by a new PIN, after the withdrawal was written down: its wait is void.
  const since = Math.max(entry?.addedAt ?? Number.POSITIVE_INFINITY, guard.delayFrom ?? 0);
  if (since > intent.createdAt) throw new AppError('ADDRESS_NOT_READY', { until: null });
}

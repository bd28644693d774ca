import type { Address } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { PriceUnit } from '../../orders/rules/order.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { ALERT_LIMITS, type Alert, type AlertDirection, afterStep } from '../rules/alert.ts';
import type { AlertDeps } from './alert-deps.ts';

export type PlaceAlertInput = {
  readonly userId: string;
  readonly mint: Address;
  readonly unit: PriceUnit;
  readonly price: Rate;
  readonly direction: AlertDirection;
  readonly request: string;
  readonly repeats: boolean;
  /** False where the price is on that side already: it has to go back before it can be crossed. */
  readonly armed: boolean;
  /** Minted before the form was shown. */
  readonly placeKey: string;
};

/**
 * Stores an alert once, however often it is sent: a repeated key returns the existing one. Throws ALERT_REFUSED for the 51st, and
 * ALERT_NOT_FOUND for another person's key; then nothing is stored.
 */
export async function placeAlert(deps: AlertDeps, input: PlaceAlertInput): Promise<Alert> {
  const now = deps.clock.now();
  const alert: Alert = {
    ...input,
    id: deps.ids.ulid(),
    status: 'OPEN',
    told: 0,
    restsUntil: null,
    version: 1,
    expiresAt: now + ALERT_LIMITS.lastsMs,
    createdAt: now,
  };
  const placed = await deps.db.transact(async (stores) => {
    // One placing after the other: the count is judged under the person's lock.
    await stores.guards.lock(input.userId);
    const before = await stores.alerts.countOpen(input.userId);
    const row = await stores.alerts.insert(alert);
    if (row.id === alert.id) refuseMany(before);
    return row;
  });
  if (placed.userId !== input.userId) throw new AppError('ALERT_NOT_FOUND', {});
  deps.alertsChanged();
  return placed;
}

/** Throws ALERT_NOT_FOUND for a stranger's and for one that is over. */
export async function removeAlert(
  deps: Pick<AlertDeps, 'db' | 'alertsChanged'>,
  { userId, alertId }: { readonly userId: string; readonly alertId: string },
): Promise<void> {
  await change(deps, userId, alertId, async (alert) => {
    if (alert.status !== 'OPEN') throw new AppError('ALERT_NOT_FOUND', {});
    return { ...alert, status: 'REMOVED', version: alert.version + 1 };
  });
}

/**
 * An alert that was sent, or ended, waits for its price once more: the price has to go back first. One that is open stays as it is. Throws
 * ALERT_NOT_FOUND, ALERT_REFUSED.
 */
export async function rearmAlert(
  deps: Pick<AlertDeps, 'db' | 'clock' | 'alertsChanged'>,
  { userId, alertId }: { readonly userId: string; readonly alertId: string },
): Promise<Alert> {
  return change(deps, userId, alertId, async (alert, stores) => {
    if (alert.status === 'OPEN') return null;
    await stores.guards.lock(userId);
    refuseMany(await stores.alerts.countOpen(userId));
    return afterStep(alert, 'again', deps.clock.now());
  });
}

/** The watch arms an alert and sends it: a tap cannot lose to it more often than that. */
const CHANGE_TRIES = 3;

async function change(
  deps: Pick<AlertDeps, 'db' | 'alertsChanged'>,
  userId: string,
  alertId: string,
  next: (alert: Alert, stores: Stores) => Promise<Alert | null>,
): Promise<Alert> {
  const changed = await deps.db.transact(async (stores) => {
    // The watch may write between the reading and the writing: then it is read again, and judged by its new row.
    for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
      const alert = await stores.alerts.find(alertId);
      if (alert?.userId !== userId) break;
      const after = await next(alert, stores);
      if (after === null) return alert;
      if (await stores.alerts.replace(after)) return after;
    }
    throw new AppError('ALERT_NOT_FOUND', {});
  });
  deps.alertsChanged();
  return changed;
}

function refuseMany(open: number): void {
  const { perPerson: max } = ALERT_LIMITS;
  if (open >= max) throw new AppError('ALERT_REFUSED', { kind: 'too-many', max });
}

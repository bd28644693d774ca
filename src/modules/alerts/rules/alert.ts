import type { Address } from '@tradepost/solana';
import { type HoldWindow, isHeld, observe } from '../../orders/rules/hold-window.ts';
import type { PriceUnit } from '../../orders/rules/order.ts';
import { compareRates, type Rate } from '../../orders/rules/rate.ts';

export type AlertDirection = 'above' | 'below';
export type AlertStatus = 'OPEN' | 'TOLD' | 'REMOVED' | 'EXPIRED';

/** Tells a person that a price was crossed. No money: it never leads to a trade by itself. */
export type Alert = {
  readonly id: string;
  readonly userId: string;
  readonly mint: Address;
  readonly unit: PriceUnit;
  /** The price of one smallest unit of the token, in lamports or millionths of a dollar. */
  readonly price: Rate;
  readonly direction: AlertDirection;
  /** How the price was said. */
  readonly request: string;
  /** Sent every time it is crossed, at most once an hour; else once. */
  readonly repeats: boolean;
  readonly status: AlertStatus;
  /** Whether the price has been on the other side: only a crossing is reported. */
  readonly armed: boolean;
  /** How often it was sent. */
  readonly told: number;
  /** Epoch milliseconds before which it is not armed again. */
  readonly restsUntil: number | null;
  /** Grows with each write; a write names the one it read. */
  readonly version: number;
  /** Minted before its form was shown: however often Place is tapped, it is one alert. */
  readonly placeKey: string;
  readonly expiresAt: number;
  readonly createdAt: number;
};

export const ALERT_LIMITS = {
  perPerson: 50,
  lastsMs: 30 * 86_400_000,
  /** Between two tellings of one that repeats. */
  restMs: 3_600_000,
  /** For so long the price must be on one side, in two blocks or more. */
  holdMs: 800,
} as const;

/** Whether `rate` is on the side that the alert waits for. The price itself counts. */
export function isPast({ direction, price }: Pick<Alert, 'direction' | 'price'>, rate: Rate): boolean {
  const order = compareRates(rate, price);
  return direction === 'above' ? order >= 0 : order <= 0;
}

/** The side on which a price lies as seen from now: one above is waited for from below. */
export function directionTo(price: Rate, now: Rate): AlertDirection {
  return compareRates(price, now) > 0 ? 'above' : 'below';
}

/** One look at the price, in the alert's unit; null where that is not known now. */
export type AlertLook = { readonly slot: bigint; readonly at: number; readonly rate: Rate | null };

export type AlertStep = {
  readonly window: HoldWindow | null;
  /** `tell`: it was crossed. `arm`: the price is on the other side, so that the next crossing counts. */
  readonly does: 'tell' | 'arm' | null;
};

/**
 * An alert after one more look. Its condition must hold for 0.8 s. A price that is not known closes the window, so that no time without a
 * price counts.
 */
export function stepAlert(alert: Alert, window: HoldWindow | null, { slot, at, rate }: AlertLook): AlertStep {
  if (alert.status !== 'OPEN' || rate === null || at >= alert.expiresAt) return { window: null, does: null };
  if (!alert.armed && alert.restsUntil !== null && at < alert.restsUntil) return { window: null, does: null };
  const isTrue = isPast(alert, rate) === alert.armed;
  const next = observe(window, { slot, at, isTrue, how: 'polled' });
  if (!isHeld(next, ALERT_LIMITS.holdMs, 'polled')) return { window: next, does: null };
  return { window: null, does: alert.armed ? 'tell' : 'arm' };
}

/** The row after `tell`, `arm`, or a person's request to hear of it again. */
export function afterStep(alert: Alert, does: 'tell' | 'arm' | 'again', now: number): Alert {
  const version = alert.version + 1;
  switch (does) {
    case 'arm':
      return { ...alert, version, armed: true };
    case 'tell':
      return {
        ...alert,
        version,
        armed: false,
        told: alert.told + 1,
        status: alert.repeats ? 'OPEN' : 'TOLD',
        restsUntil: alert.repeats ? now + ALERT_LIMITS.restMs : null,
      };
    case 'again':
      // The price is where the notice was sent: it has to go back before it can be crossed again.
      return {
        ...alert,
        version,
        armed: false,
        status: 'OPEN',
        restsUntil: null,
        expiresAt: now + ALERT_LIMITS.lastsMs,
      };
  }
}

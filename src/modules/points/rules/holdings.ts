import { type Bps, bps } from '../../../core/amounts/bps.ts';
import type { Redemption, ShopEffect } from './shop.ts';
import { DAY_MS } from './utc.ts';

type Held = Pick<Redemption, 'effect' | 'startsAt' | 'endsAt'>;

/** The discount on the platform fee in force at `now`: the largest one, 0 without any. */
export function discountAt(redemptions: readonly Held[], now: number): Bps {
  return bps(
    redemptions.reduce(
      (best, { effect, startsAt, endsAt }) =>
        effect.kind === 'fee-discount' && startsAt <= now && (endsAt === null || now < endsAt)
          ? Math.max(best, effect.bps)
          : best,
      0,
    ),
  );
}

/** When the last discount that was paid for ends; null when none is in force or waiting. */
export function discountUntil(redemptions: readonly Held[], now: number): number | null {
  const end = redemptions.reduce(
    (last, { effect, endsAt }) => (effect.kind === 'fee-discount' ? Math.max(last, endsAt ?? 0) : last),
    0,
  );
  return end > now ? end : null;
}

/** How many of a kind a person ever redeemed: wallet slots, vouchers for a referral code, badges. */
export function countOf(redemptions: readonly Held[], kind: ShopEffect['kind']): number {
  return redemptions.filter(({ effect }) => effect.kind === kind).length;
}

/** From when to when something redeemed now works. A discount waits for the end of the one before it: days are never lost. */
export function effectSpan(
  effect: ShopEffect,
  redemptions: readonly Held[],
  now: number,
): { readonly startsAt: number; readonly endsAt: number | null } {
  if (effect.kind !== 'fee-discount') return { startsAt: now, endsAt: null };
  const startsAt = discountUntil(redemptions, now) ?? now;
  return { startsAt, endsAt: startsAt + effect.days * DAY_MS };
}

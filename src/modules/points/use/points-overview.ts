import type { Bps } from '../../../core/amounts/bps.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { countOf, discountAt, discountUntil } from '../rules/holdings.ts';
import { type Miner, newMiner, rested } from '../rules/mining.ts';
import { type PointRules, rulesAt } from '../rules/rules.ts';

export type PointsOverview = {
  readonly points: bigint;
  /** The state of now: refilled, and with today's cap. */
  readonly miner: Miner;
  readonly rules: PointRules;
  readonly discountBps: Bps;
  readonly discountUntil: number | null;
  readonly hasBadge: boolean;
};

/** Everything the first screen shows. Changes nothing. */
export async function pointsOverview(
  deps: { readonly db: Pick<Database, 'points' | 'shop'>; readonly clock: Clock },
  who: { readonly telegramId: bigint; readonly userId: string },
): Promise<PointsOverview> {
  const [found, redemptions] = await Promise.all([
    deps.db.points.find(who.telegramId, who.userId),
    deps.db.shop.listByUser(who.userId),
  ]);
  const now = deps.clock.now();
  const rules = rulesAt(now);
  return {
    points: found.points,
    miner: rested(found.miner ?? newMiner({ ...who, now, rules }), now, rules),
    rules,
    discountBps: discountAt(redemptions, now),
    discountUntil: discountUntil(redemptions, now),
    hasBadge: countOf(redemptions, 'badge') > 0,
  };
}

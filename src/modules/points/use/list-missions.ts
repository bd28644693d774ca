import type { Clock } from '../../../platform/ports/clock.ts';
import { rested } from '../rules/mining.ts';
import { claimKey, type Facts, type Mission, missionSpan, missionsAt } from '../rules/missions.ts';
import { rulesAt } from '../rules/rules.ts';
import type { PointStore } from '../store/point-store-port.ts';

export type MissionState = {
  readonly mission: Mission;
  /** Never above the target. */
  readonly progress: number;
  readonly claimed: boolean;
};

/** The missions on offer with progress from the database, and whether this period's points were taken. */
export async function listMissions(
  deps: { readonly db: { readonly points: PointStore }; readonly clock: Clock },
  who: { readonly telegramId: bigint; readonly userId: string },
): Promise<readonly MissionState[]> {
  const { points } = deps.db;
  const now = deps.clock.now();
  const missions = missionsAt(now);
  const spans = new Map(missions.map((mission) => [mission.period, missionSpan(mission, now)]));
  const [found, taken, ...facts] = await Promise.all([
    points.find(who.telegramId, who.userId),
    points.posted(missions.map((mission) => claimKey(mission, who.telegramId, now))),
    ...[...spans].map(async ([period, span]) => [period, await points.facts(who.userId, span)] as const),
  ]);
  const streak = found.miner === null ? 0 : rested(found.miner, now, rulesAt(now)).streak;
  const byPeriod = new Map<Mission['period'], Facts>(
    facts.map(([period, counted]) => [period, { ...counted, streak }]),
  );
  return missions.map((mission) => ({
    mission,
    progress: Math.min(mission.target, byPeriod.get(mission.period)?.[mission.fact] ?? 0),
    claimed: taken.has(claimKey(mission, who.telegramId, now)),
  }));
}

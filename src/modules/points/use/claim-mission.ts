import { AppError } from '../../../core/errors/app-error.ts';
import { earnTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { claimKey, type Mission } from '../rules/missions.ts';
import { listMissions } from './list-missions.ts';

/**
 * Takes a mission's points by hand, once per period: the posting's key names mission, Telegram account and period. `claimed` is
 * false for everybody but the first. Throws MISSION_UNDONE with the progress, MISSION_UNKNOWN for one that is not on offer.
 */
export async function claimMission(
  deps: { readonly db: Pick<Database, 'points' | 'ledger'>; readonly clock: Clock; readonly ids: Ids },
  who: { readonly telegramId: bigint; readonly userId: string },
  missionId: string,
): Promise<{ readonly mission: Mission; readonly claimed: boolean }> {
  const now = deps.clock.now();
  const clock = { now: () => now };
  const state = (await listMissions({ ...deps, clock }, who)).find(({ mission }) => mission.id === missionId);
  if (state === undefined) throw new AppError('MISSION_UNKNOWN', {});
  const { mission, progress } = state;
  if (state.claimed) return { mission, claimed: false };
  if (progress < mission.target) {
    throw new AppError('MISSION_UNDONE', { progress, target: mission.target });
  }
  const claimed = await deps.db.ledger.post(
    earnTransfer(
      { id: deps.ids.ulid(), createdAt: now },
      {
        userId: who.userId,
        reason: 'points-mission',
        key: claimKey(mission, who.telegramId, now),
        ref: mission.id,
        points: BigInt(mission.points),
      },
    ),
  );
  return { mission, claimed };
}

import { bps, bpsCeil } from '../../../core/amounts/bps.ts';
import { seasonTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import type { LedgerStore } from '../../../engine/ledger/store/ledger-store-port.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import { rulesAt } from '../rules/rules.ts';
import type { Season } from '../rules/seasons.ts';
import type { PointOperations } from '../store/point-operations-port.ts';

const PAGE = 500;
const TRIES = 10;

/**
 * Takes the points that a season's end does not carry over, once per person. The posting's key names season and person: a second run
 * after a kill finishes the rest and takes nothing twice. People mine and redeem meanwhile. The carried part is rounded up, and it is the
 * one in force when closing began.
 */
export async function closeSeason(
  deps: {
    readonly ledger: Pick<LedgerStore, 'post' | 'balance'>;
    readonly operations: PointOperations;
    readonly clock: Clock;
    readonly ids: Ids;
  },
  season: Season,
): Promise<{ readonly people: number; readonly expired: bigint; readonly already: boolean }> {
  const { operations, clock } = deps;
  const { number } = season;
  const row = await operations.beginSeason({
    number,
    // The rules people lived under, not those of the day an operator finds the time.
    carryBps: rulesAt(season.until - 1).seasonCarryBps,
    at: clock.now(),
  });
  if (row.closedAt === null) {
    for (let after = ''; ; ) {
      const page = await operations.holders(after, PAGE);
      for (const { userId } of page) await expire(deps, number, userId, row.carryBps);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.userId;
    }
  }
  return { ...(await operations.finishSeason(number, clock.now())), already: row.closedAt !== null };
}

async function expire(
  deps: Parameters<typeof closeSeason>[0],
  season: number,
  userId: string,
  carryBps: number,
): Promise<void> {
  for (let i = 0; ; i += 1) {
    const points = await deps.ledger.balance({ kind: 'points', owner: userId });
    const gone = points - bpsCeil(points, bps(carryBps));
    if (gone === 0n) return;
    try {
      await deps.ledger.post(
        seasonTransfer(
          { id: deps.ids.ulid(), createdAt: deps.clock.now() },
          { userId, season, points: gone },
        ),
      );
      return;
    } catch (error) {
      // The person redeemed between the read and the posting.
      if (!(error instanceof RangeError) || i === TRIES) throw error;
    }
  }
}

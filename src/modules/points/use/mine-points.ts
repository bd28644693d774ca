import { earnTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { type MineResult, type Miner, mine, newMiner } from '../rules/mining.ts';
import { rulesAt } from '../rules/rules.ts';

/** Two devices can lose to each other; hundreds of taps of one account at once are refused by the bot long before. */
const TRIES = 200;

/**
 * One tap. The row's version decides who writes, and the posting commits with it: however many devices, processes and replays tap at
 * once, energy and the day's cap hold to the point. Answers the points of the tap and the account afterwards.
 */
export async function minePoints(
  deps: { readonly db: Pick<Database, 'points'>; readonly clock: Clock; readonly ids: Ids },
  who: { readonly telegramId: bigint; readonly userId: string },
): Promise<{ readonly result: MineResult; readonly miner: Miner; readonly points: bigint }> {
  const { db, clock, ids } = deps;
  for (let i = 0; i < TRIES; i += 1) {
    const found = await db.points.find(who.telegramId, who.userId);
    const now = clock.now();
    const rules = rulesAt(now);
    const before = found.miner ?? newMiner({ ...who, now, rules });
    const { miner, result } = mine(before, now, rules);
    const gained = result.kind === 'mined' ? BigInt(result.points) : 0n;
    const transfer =
      gained === 0n
        ? null
        : earnTransfer(
            { id: ids.ulid(), createdAt: now },
            {
              userId: who.userId,
              reason: 'points-mine',
              key: `points-mine/${who.telegramId}/${miner.version}`,
              // One line of the history per day.
              ref: new Date(miner.day * 86_400_000).toISOString().slice(0, 10),
              points: gained,
            },
          );
    if (await db.points.saveTap(miner, before.version, transfer)) {
      return { result, miner, points: found.points + gained };
    }
  }
  throw new Error(`points: ${TRIES} taps of one account at once`);
}

import { winTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import { payoutOf, type Round, type RoundResult } from '../rules/round.ts';
import { tableOf } from '../rules/tables.ts';
import type { GameDeps } from './open-round.ts';

/** Younger bets are still being settled by the process that took them. */
const STARTED_AGE_MS = 2_000;
const LIMIT = 200;

/**
 * Reveals the seed of a round with a bet and pays its payout, in one commit, once: every later caller gets the recorded result. Needs
 * nothing but the row and the secret, so that any process can finish rounds that another one began.
 */
export async function settleRound(deps: GameDeps, roundId: string): Promise<Round> {
  const { db, seeds, clock, ids } = deps;
  return db.transact(async (stores) => {
    const round = await stores.games.find(roundId);
    const table = tableOf(round?.table ?? '');
    if (round === null || round.bet === null || table === null) {
      throw new RangeError(`games: ${roundId} has no bet of known rules`);
    }
    if (round.result !== null) return round;
    const seed = await seeds.seedOf(round);
    const at = clock.now();
    const result: RoundResult = { seed, payout: payoutOf(table, seed, round.bet), at };
    if (!(await stores.games.settle(round.id, result))) return (await stores.games.find(roundId)) ?? round;
    if (result.payout > 0n) {
      await stores.ledger.post(
        winTransfer(
          { id: ids.ulid(), createdAt: at },
          { userId: round.userId, roundId: round.id, points: result.payout },
        ),
      );
    }
    return { ...round, result };
  });
}

/** Settles the rounds left between bet and result, oldest first; the sweeper calls it, also while games are switched off. */
export async function settleStarted(deps: GameDeps): Promise<number> {
  const ids = await deps.db.games.started(deps.clock.now() - STARTED_AGE_MS, LIMIT);
  for (const id of ids) await settleRound(deps, id);
  return ids.length;
}

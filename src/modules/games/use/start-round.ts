import { AppError } from '../../../core/errors/app-error.ts';
import { betTransfer } from '../../../engine/ledger/rules/point-postings.ts';
import { assertNotPaused } from '../../../engine/switches/use/assert-not-paused.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { dayOf } from '../../points/rules/utc.ts';
import { spendPoints } from '../../points/use/spend-points.ts';
import type { Round } from '../rules/round.ts';
import { type GameTable, mayStake, tableAt } from '../rules/tables.ts';
import type { GameDeps } from './open-round.ts';

export type Bet = {
  readonly userId: string;
  readonly roundId: string;
  readonly choice: number;
  readonly points: bigint;
};

/**
 * Takes the stake and writes the bet down, in one commit, under the person's lock. The round's own id is the key: a repeat, a second device
 * or another choice changes nothing and returns the recorded bet. Throws BUTTON_STALE for a round that is unknown, another person's,
 * withdrawn or of former rules, and for a choice that the game does not have. Throws PAUSED, STAKE_INVALID, STAKES_USED_UP, POINTS_SHORT.
 */
export async function startRound(deps: Omit<GameDeps, 'seeds'>, bet: Bet): Promise<Round> {
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(bet.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const round = await stores.games.find(bet.roundId);
    if (round === null || round.userId !== user.id) throw new AppError('BUTTON_STALE', {});
    if (round.bet !== null) return round;
    const now = deps.clock.now();
    const table = tableAt(round.game, now);
    // In a restored database the seed of an open round may have been revealed already.
    if (table.id !== round.table || (await stores.flags.isSet('quarantined'))) {
      throw new AppError('BUTTON_STALE', {});
    }
    await assertNotPaused(stores.flags, ['games']);
    await assertMayBet(stores, table, bet, dayOf(now));
    const placed = { choice: bet.choice, points: bet.points, day: dayOf(now), at: now };
    if (!(await stores.games.start(round.id, placed))) throw new AppError('BUTTON_STALE', {});
    await spendPoints(
      stores,
      user.id,
      bet.points,
      betTransfer(
        { id: deps.ids.ulid(), createdAt: now },
        { userId: user.id, roundId: round.id, points: bet.points },
      ),
    );
    return { ...round, bet: placed };
  });
}

async function assertMayBet(stores: Stores, table: GameTable, bet: Bet, day: number): Promise<void> {
  const { stake, dailyStake, payTenths, game } = table;
  if (!Number.isInteger(bet.choice) || bet.choice < 0 || bet.choice >= payTenths.length) {
    throw new AppError('BUTTON_STALE', {});
  }
  if (!mayStake(table, bet.points)) throw new AppError('STAKE_INVALID', { ...stake });
  // Later days count too: a clock that is set back gives no day a second time.
  const left = dailyStake - (await stores.games.staked(bet.userId, game, day));
  if (bet.points > left) throw new AppError('STAKES_USED_UP', { left, max: dailyStake });
}

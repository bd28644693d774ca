import type { Round } from '../rules/round.ts';
import type { GameDeps } from './open-round.ts';
import { settleRound } from './settle-round.ts';
import { type Bet, startRound } from './start-round.ts';

/**
 * Bet, then result: two commits, so that a bet stands before anybody could know how it ends. A kill between them leaves a
 * started round, which the sweeper settles. Throws what `startRound` throws.
 */
export async function playRound(deps: GameDeps, bet: Bet): Promise<Round> {
  const { id } = await startRound(deps, bet);
  return settleRound(deps, id);
}

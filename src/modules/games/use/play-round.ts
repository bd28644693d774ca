import type { Round } from '../rules/round.ts';
import type { GameDeps } from './open-round.ts';
import { settleRound } from './settle-round.ts';
import { type Bet, startRound } from './start-round.ts';

/**
 * Bet, then result: two commits, so that a bet is recorded before its result can be known. A kill between them leaves a started round,
 * which the sweeper settles. Throws the errors of `startRound`.
 */
export async function playRound(deps: GameDeps, bet: Bet): Promise<Round> {
  const { id } = await startRound(deps, bet);
  return settleRound(deps, id);
}

import type { Round, RoundBet, RoundResult } from './rules/round.ts';
import type { GameName } from './rules/tables.ts';

export interface GameStore {
  find(id: string): Promise<Round | null>;
  /** The person's round of a table that has no bet yet and was not withdrawn. */
  open(userId: string, table: string): Promise<Round | null>;
  /** Inserts a round without a bet; false when the person has an open one of that table. */
  insert(round: Round): Promise<boolean>;
  /** Writes the bet; false when there is one already, or the round was withdrawn. */
  start(id: string, bet: RoundBet): Promise<boolean>;
  /**
   * Reveals the seed and writes the payout; false when that was done before. Rejects a seed that is not the committed one and a round
   * without a bet.
   */
  settle(id: string, result: RoundResult): Promise<boolean>;
  /** Points that a person staked at a game on `day` or a later one. */
  staked(userId: string, game: GameName, day: number): Promise<bigint>;
  /** Rounds with a bet from before `before` and no result, oldest first. */
  started(before: number, limit: number): Promise<readonly string[]>;
}

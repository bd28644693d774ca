import type { Clock } from '../../../platform/ports/clock.ts';
import type { GameSeeds } from '../../../platform/ports/game-seeds.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { commitmentText, type Round } from '../rules/round.ts';
import { type GameName, tableAt } from '../rules/tables.ts';

export type GameDeps = {
  readonly db: Pick<Database, 'transact' | 'games'>;
  readonly seeds: GameSeeds;
  readonly clock: Clock;
  readonly ids: Ids;
};

/**
 * The round of the person's next bet at a game, written down with its commitment before any button is shown. It stays the same until it is
 * played, on each device and for each request. So commitments cannot be browsed.
 */
export async function openRound(deps: GameDeps, userId: string, game: GameName): Promise<Round> {
  const { db, seeds, clock, ids } = deps;
  const now = clock.now();
  const { id: table } = tableAt(game, now);
  const known = await db.games.open(userId, table);
  if (known !== null) return known;
  const name = { id: ids.ulid(), table };
  const round: Round = {
    ...name,
    userId,
    game,
    commitment: seeds.sha256(commitmentText(name, await seeds.seedOf(name))),
    createdAt: now,
    bet: null,
    result: null,
  };
  if (await db.games.insert(round)) return round;
  // Another device opened one in the same moment.
  const theirs = await db.games.open(userId, table);
  return theirs ?? openRound(deps, userId, game);
}

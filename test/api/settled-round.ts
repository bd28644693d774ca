import { createHash, randomBytes } from 'node:crypto';
import { commitmentText, payoutOf, type Round } from '../../src/modules/games/rules/round.ts';
import { GAME_TABLES } from '../../src/modules/games/rules/tables.ts';
import { buildSite, OPEN } from './build-site.ts';

/** A fair round of one of the tables, with any seed. */
export function settledRound(tableIndex = 1, seed = randomBytes(32).toString('hex')): Round {
  const table = GAME_TABLES[tableIndex];
  if (table === undefined) throw new Error('no table');
  const name = { id: '01JTESTROUND0000000000000A', table: table.id };
  const bet = { choice: 1, points: table.stake.max, day: 20_000, at: 2 };
  return {
    ...name,
    userId: '01JTESTSECRETPERSON000000X',
    game: table.game,
    commitment: createHash('sha256').update(commitmentText(name, seed)).digest('hex'),
    createdAt: 1,
    bet,
    result: { seed, payout: payoutOf(table, seed, bet), at: 3 },
  };
}

/** A host whose only round is `round`, or one that cannot ask. */
export function siteOfRound(round: Round | null | (() => Promise<never>)) {
  const { metadata } = buildSite(OPEN);
  return buildSite(OPEN, {
    site: {
      metadata,
      pictures: { card: () => Promise.reject(new Error('not asked for')) },
      charts: { candles: () => Promise.reject(new Error('not asked for')) },
      passport: async () => null,
      round: typeof round === 'function' ? round : async () => round,
      publicUrl: () => null,
      tokenPictures: async () => new Map(),
      history: async () => null,
      pauses: async () => [],
      tradingFigures: async () => ({ sources: [], verdicts: [] }),
    },
  }).app;
}

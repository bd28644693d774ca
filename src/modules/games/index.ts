import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { gamesFeature } from './chat/index.ts';
import { gamePages } from './pages/index.ts';
import { openRound } from './use/open-round.ts';
import { playRound } from './use/play-round.ts';
import { settleStarted } from './use/settle-round.ts';

/** Games with points. */
export function createGames({ db, clock, ids, gameSeeds: seeds }: World) {
  const games = { db, seeds, clock, ids };
  return {
    openRound: bind(openRound, games),
    playRound: bind(playRound, games),
    /** Finishes the rounds that were left between bet and result. */
    settleStarted: () => settleStarted(games),
  };
}

/** The parts that it plugs in. */
export const gamesModule = {
  name: 'games',
  features: [gamesFeature],
  pages: [gamePages],
} satisfies Module;

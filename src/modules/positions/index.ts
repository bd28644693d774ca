import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Spending } from '../guard/index.ts';
import type { Market } from '../market/index.ts';
import type { Pricing } from '../trading/index.ts';
import { exportFeature } from './chat/export.ts';
import { positionsFeature } from './chat/index.ts';
import { positionsKeep } from './jobs.ts';
import { confirmCleanUp, findEmptyAccounts, quoteCleanUp } from './use/clean-up.ts';
import { createPositionServices } from './use/portfolio.ts';

/** The holdings of wallets at cost and worth, and their empty token accounts. */
export function createPositions(
  world: World,
  {
    pricing,
    market: { solPrice },
    spending,
  }: { readonly pricing: Pricing; readonly market: Market; readonly spending: Spending },
) {
  const { chain, db, programs, compiler } = world;
  const positions = createPositionServices({ ...world, trade: pricing.trade, solPrice });
  return {
    positions,
    /** Token accounts of a wallet that are empty or hold more than their rent, and the lamports that a clean-up returns. */
    emptyAccounts: {
      find: bind(findEmptyAccounts, { chain }),
      quote: bind(quoteCleanUp, { chain, db, programs, compiler }),
      confirm: bind(confirmCleanUp, spending.confirmingFor('trade')),
    },
    keep: async () => {
      try {
        await positions.snapshotDay();
      } finally {
        // Neither may keep the other from its turn.
        await positions.reconcileDue();
      }
    },
  };
}

export type Positions = ReturnType<typeof createPositions>;

/** The parts that it plugs in. */
export const positionsModule = {
  name: 'positions',
  features: [positionsFeature, exportFeature],
  jobs: { 'positions.keep': positionsKeep },
} satisfies Module;

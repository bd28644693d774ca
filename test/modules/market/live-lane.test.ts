import { expect, it } from 'vitest';
import { createIndexerState } from '../../../src/modules/market/indexer/indexer-state.ts';
import type { IndexerDeps } from '../../../src/modules/market/indexer/lane.ts';
import { liveLane } from '../../../src/modules/market/indexer/live-lane.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { buildMarket } from './decode/build-transaction.ts';

const market = {
  ...buildMarket(),
  venue: 'desk',
  baseDecimals: 6,
  quoteDecimals: 6,
  createdSlot: 0n,
  baseTicker: 'A',
  quoteTicker: 'B',
  name: 'A/B',
  verified: false,
  followed: true,
  primary: true,
  gapSince: null,
};

/** A round over a node that refuses what `fails` names; one market is woken. */
function rig(fails: { horizon: boolean; read: boolean }) {
  const state = createIndexerState();
  state.markets = [market];
  state.woken.add(market.id);
  const deps = {
    clock: fakeClock(),
    log: { warn: () => undefined },
    tape: {
      cursors: async () => [{ marketId: market.id, liveSlot: 0n, sealedSlot: 10n, post: null }],
      append: async () => [],
    },
    chain: { token: async () => null, accounts: async () => ({ slot: 0n, accounts: [] }) },
    source: {
      horizon: async () => {
        if (fails.horizon) throw new Error('429');
        return 40n;
      },
      read: async () => {
        if (fails.read) throw new Error('429');
        return [];
      },
    },
  };
  return { state, round: () => liveLane.round(deps as unknown as IndexerDeps, state) };
}

it('keeps a notice that a refusing node kept from it, and lets go of it once it is read', async () => {
  const fails = { horizon: true, read: true };
  const { state, round } = rig(fails);
  await expect(round()).rejects.toThrow('429');
  expect([...state.woken]).toEqual([market.id]);
  fails.horizon = false;
  const pause = await round();
  expect([...state.woken]).toEqual([market.id]);
  fails.read = false;
  expect(await round()).toBeLessThan(pause);
  expect([...state.woken]).toEqual([]);
});

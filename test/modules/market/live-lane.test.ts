import { describe, expect, it } from 'vitest';
import { buildMarket, buildTransaction } from '../../../packages/tape/test/decode/build-transaction.ts';
import { createIndexerState } from '../../../src/modules/market/indexer/indexer-state.ts';
import type { IndexerDeps } from '../../../src/modules/market/indexer/lane.ts';
import { liveLane } from '../../../src/modules/market/indexer/live-lane.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

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
function rig(fails: { horizon: boolean; read: boolean; list?: boolean }) {
  const clock = fakeClock();
  const state = createIndexerState(clock);
  const asked: { readonly after: bigint; readonly upTo: bigint }[] = [];
  state.markets = [market];
  state.woken.add(market.id);
  const deps = {
    clock,
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
      read: async (_: unknown, range: { readonly after: bigint; readonly upTo: bigint }) => {
        if (fails.read) throw new Error('429');
        asked.push(range);
        return fails.list === false && range.after < 40n ? [buildTransaction([], [])] : [];
      },
    },
  };
  return { state, clock, asked, round: () => liveLane.round(deps as unknown as IndexerDeps, state) };
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

describe('a transaction that a notice named', () => {
  const signature = buildTransaction([], []).signature;

  it('is asked for again from its own slot until a list has it', async () => {
    const fails: Parameters<typeof rig>[0] = { horizon: false, read: false };
    const { state, asked, round } = rig(fails);
    state.named.add(market.id, { signature, slot: 30n });
    const pause = await round();
    expect([...state.woken]).toEqual([market.id]);
    expect(asked).toEqual([expect.objectContaining({ after: 10n, upTo: 40n })]);
    fails.list = false;
    expect(await round()).toBeLessThan(pause);
    expect(asked[1]).toMatchObject({ after: 29n, upTo: 40n });
    expect([...state.woken]).toEqual([]);
  });

  it('is left to the seal after a minute, and where the seal has passed it', async () => {
    const { state, clock, round } = rig({ horizon: false, read: false });
    state.named.add(market.id, { signature, slot: 30n });
    await round();
    clock.advance(60_001);
    await round();
    expect([...state.woken]).toEqual([]);
    state.named.add(market.id, { signature, slot: 10n });
    state.woken.add(market.id);
    await round();
    expect([...state.woken]).toEqual([]);
  });
});

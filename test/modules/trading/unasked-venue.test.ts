import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { tradeCard } from '../../../src/modules/trading/use/trade-card.ts';
import { tokenValue } from '../../../src/modules/withdrawals/use/token-value.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildApi, type ErrorAnswer, post, SOL } from '../../api/build-api.ts';
import { type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('unasked');
});
afterAll(() => rig.stop());

const throttled = () => Promise.reject(new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc', cause: '429' }));
const down: Venue = { name: 'throttled-venue', pools: throttled, counterparts: throttled };
const empty: Venue = { name: 'empty', pools: async () => [], counterparts: async () => [] };
const swap = () => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
});

/** What both endpoints answer over these venues. */
async function ask(venues: readonly Venue[]) {
  const api = buildApi({ ...rig, deps: { ...rig.deps, venues } });
  try {
    const { userWalletAddress: _, ...query } = swap();
    return [await post(api.open, swap()), await api.open.inject({ url: '/dex/quote', query })];
  } finally {
    await api.close();
  }
}

describe('a venue that could not be asked', () => {
  it('is not taken for one that has no pools: the refusal names it and may be retried', async () => {
    for (const answer of await ask([down, empty])) {
      expect(answer.statusCode).toBe(500);
      const { error } = answer.json<ErrorAnswer>();
      expect(error).toMatchObject({ code: 'UPSTREAM_FAILED', retryable: true });
      expect(error.message).toContain('throttled-venue');
    }
    for (const answer of await ask([empty])) {
      expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'NO_ROUTE', retryable: false });
    }
  });

  it('is named beside the answer of the others, and nothing is said where all were asked', async () => {
    for (const answer of await ask([down, ...rig.venues])) {
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json().data).toMatchObject({
        coverage: 'partial',
        venuesNotAsked: ['throttled-venue'],
      });
    }
    for (const answer of await ask(rig.venues)) {
      expect(answer.json().data).not.toHaveProperty('coverage');
      expect(answer.json().data).not.toHaveProperty('venuesNotAsked');
    }
  });

  it('is asked again by the next request', async () => {
    let fails = true;
    const passing = rig.venues.map(
      (venue): Venue => ({ ...venue, pools: (...asked) => (fails ? throttled() : venue.pools(...asked)) }),
    );
    const [first] = await ask([...passing, empty]);
    expect(first?.json<ErrorAnswer>().error).toMatchObject({ code: 'UPSTREAM_FAILED' });
    fails = false;
    expect((await ask([...passing, empty]))[0]?.statusCode).toBe(200);
  });

  it('is shown on the card and on the confirm screen of a trade, and is why there is none', async () => {
    const input = { wallet: rig.wallet, mint: rig.token('PUP').mint };
    const request = {
      ...input,
      side: 'buy',
      slippageBps: 100 as never,
      tier: 'normal',
      amount: { lamports: 100_000_000n },
    } as const;
    const partly = { ...rig.deps, venues: [down, ...rig.venues], solPrice: async () => null };
    expect((await quoteTrade(partly, request)).unasked).toEqual(['throttled-venue']);
    expect((await tradeCard(partly, input)).unasked).toEqual(['throttled-venue']);
    await expect(quoteTrade({ ...rig.deps, venues: [down, empty] }, request)).rejects.toMatchObject({
      code: 'VENUES_UNREACHABLE',
      details: { venues: ['throttled-venue'] },
    });
  });

  it('does not make a token worthless that is to be withdrawn', async () => {
    const params = { mint: rig.token('PUP').mint, amount: 1_000n };
    const worth = (venues: readonly Venue[]) => tokenValue({ venues, hubs: rig.deps.hubs }, params);
    expect(await worth([empty])).toBeNull();
    await expect(worth([empty, down])).rejects.toMatchObject({ code: 'VENUES_UNREACHABLE' });
  });
});

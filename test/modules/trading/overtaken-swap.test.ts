import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildApi, type ErrorAnswer, post, SOL } from '../../api/build-api.ts';
import { type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('overtaken');
});
afterAll(() => rig.stop());

/** Venues that find another trade before ours so many times. */
function overtaking(times: number): { readonly venues: readonly Venue[]; readonly asked: () => number } {
  let asked = 0;
  const venues = rig.venues.map((venue): Venue => {
    const coSign = venue.coSign?.bind(venue);
    if (coSign === undefined) return venue;
    return {
      ...venue,
      coSign: async (message, signers) => {
        asked += 1;
        if (asked <= times) throw new AppError('PRICE_MOVED', { minOut: 2n, got: 1n });
        return coSign(message, signers);
      },
    };
  });
  return { venues, asked: () => asked };
}

async function swapWhile(times: number) {
  const { venues, asked } = overtaking(times);
  const api = buildApi({ ...rig, deps: { ...rig.deps, venues } });
  try {
    const answer = await post(api.open, {
      userWalletAddress: rig.wallet,
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
      amount: '100000000',
    });
    return { answer, asked: asked() };
  } finally {
    await api.close();
  }
}

describe('POST /dex/swap while others trade', () => {
  it('is routed once more when another trade was faster', async () => {
    const { answer, asked } = await swapWhile(1);
    expect(answer.statusCode).toBe(200);
    expect(asked).toBe(2);
  });

  it('says that the price moved, and that asking again may help, when that comes too late as well', async () => {
    const { answer, asked } = await swapWhile(9);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorAnswer>().error).toMatchObject({ code: 'PRICE_MOVED', retryable: true });
    expect(asked).toBe(2);
  });
});

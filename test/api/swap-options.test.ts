import { VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('swap-options');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

const order = (more: object = {}) => ({
  userWalletAddress: rig.wallet,
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
  ...more,
});
const quote = (more: Record<string, string> = {}) => {
  const { userWalletAddress: _wallet, ...asked } = order(more);
  return api.open.inject({ url: `/dex/quote?${new URLSearchParams(asked).toString()}` });
};
const refused = (answer: { json: <T>() => T }) => answer.json<ErrorAnswer>().error;

describe('where a swap may go', () => {
  it('GET /dex/venues lists the names', async () => {
    const answer = await api.open.inject({ url: '/dex/venues' });
    expect(answer.json()).toEqual({ data: [{ name: 'desk', programId: null }] });
  });

  it('takes only the venues that are named, in a swap, its quote and GET /dex/quote', async () => {
    const free = await post(api.open, order());
    const named = await post(api.open, order({ venues: ['desk'] }));
    expect([free.statusCode, named.statusCode]).toEqual([200, 200]);
    const out = (answer: typeof free) =>
      answer.json<{ data: { toTokenAmount: string } }>().data.toTokenAmount;
    expect(out(named)).toBe(out(free));
    expect((await quote({ venues: 'desk' })).statusCode).toBe(200);
  });

  it('says which filter there is no route within', async () => {
    const message = `nothing within excludeVenues desk trades ${SOL} for ${rig.token('PUP').mint}; without that there may be a way`;
    for (const answer of [
      await post(api.open, order({ excludeVenues: ['desk'] })),
      await quote({ excludeVenues: 'desk' }),
      await api.open.inject({
        method: 'POST',
        url: '/dex/swap?quoteOnly=true',
        payload: order({ excludeVenues: ['desk'] }),
      }),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(refused(answer)).toMatchObject({ code: 'NO_ROUTE', message });
    }
  });

  it('directOnly goes over no other token', async () => {
    const over = { fromTokenAddress: rig.token('PUP').mint, toTokenAddress: rig.token('KOI').mint };
    const open = await quote(over);
    expect(open.statusCode, open.body).toBe(200);
    expect(refused(await quote({ ...over, directOnly: 'true' }))).toMatchObject({
      code: 'NO_ROUTE',
      message: expect.stringContaining('nothing within directOnly'),
    });
    expect((await quote({ directOnly: 'true' })).statusCode).toBe(200);
  });

  it.each([
    [{ venues: [] }, 'venues', 'VENUE_UNKNOWN'],
    [{ venues: Array.from({ length: 13 }, () => 'desk') }, 'venues', 'VENUE_UNKNOWN'],
    [{ venues: ['orca'] }, 'venues', 'VENUE_UNKNOWN'],
    [{ excludeVenues: ['desk', 'Desk'] }, 'excludeVenues', 'VENUE_UNKNOWN'],
    [{ excludeVenues: 'desk' }, 'excludeVenues', 'VENUE_UNKNOWN'],
    [{ venues: ['desk'], excludeVenues: ['desk'] }, 'excludeVenues', 'FIELDS_EXCLUSIVE'],
    [{ directOnly: 'yes' }, 'directOnly', 'VALIDATION_FAILED'],
    [{ priority: 'ludicrous' }, 'priority', 'PRIORITY_INVALID'],
    [{ maxPriorityFeeLamports: '10000001' }, 'maxPriorityFeeLamports', 'PRIORITY_INVALID'],
    [{ maxPriorityFeeLamports: '-1' }, 'maxPriorityFeeLamports', 'PRIORITY_INVALID'],
    [{ maxPriorityFeeLamports: 'abc' }, 'maxPriorityFeeLamports', 'PRIORITY_INVALID'],
    [{ maxPriorityFeeLamports: '1e6' }, 'maxPriorityFeeLamports', 'PRIORITY_INVALID'],
    [{ maxPriorityFeeLamports: 5 }, 'maxPriorityFeeLamports', 'PRIORITY_INVALID'],
  ])('refuses %j', async (more, field, code) => {
    const answer = await post(api.open, order(more));
    expect(answer.statusCode).toBe(400);
    expect(refused(answer).details).toEqual([expect.objectContaining({ field, code })]);
  });

  it('takes null as no filter', async () => {
    const answer = await post(api.open, order({ venues: null, excludeVenues: null, priority: null }));
    expect(answer.statusCode, answer.body).toBe(200);
  });
});

describe('what the priority may cost', () => {
  let busy: Api;
  beforeAll(() => {
    // A chain where places in blocks are sought after: the higher the percentile, the more was paid.
    const priorityPrice = async (_accounts: unknown, percentile: number) => BigInt(percentile) * 2_000n;
    busy = buildApi({ ...rig, deps: { ...rig.deps, chain: { ...rig.deps.chain, priorityPrice } } });
  });
  afterAll(() => busy.close());

  const built = async (more: object) => {
    const answer = await post(busy.open, order(more));
    expect(answer.statusCode, answer.body).toBe(200);
    const { txBase64, fees } = answer.json<{
      data: { txBase64: string; fees: { networkFeeLamports: string } };
    }>().data;
    const { signatures } = VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
    return { fee: BigInt(fees.networkFeeLamports), base: 5_000n * BigInt(signatures.length) };
  };

  it('pays more in a faster tier, and never above the cap that was asked for', async () => {
    const normal = await built({});
    const turbo = await built({ priority: 'turbo' });
    expect(normal.fee).toBeGreaterThan(normal.base);
    expect(turbo.fee).toBeGreaterThan(normal.fee);
    const capped = await built({ priority: 'turbo', maxPriorityFeeLamports: '7' });
    expect(capped.fee - capped.base).toBeLessThanOrEqual(7n);
    const none = await built({ maxPriorityFeeLamports: '0' });
    expect(none.fee).toBe(none.base);
  });

  it('asks the wallet for as much as that tier may cost', async () => {
    const needed = async (more: object) => {
      const answer = await post(api.open, order({ amount: '99000000000000', ...more }));
      const { details } = refused(answer);
      const part = details.find(({ code }) => code === 'NEEDED_NETWORK_FEE');
      return BigInt(/\d+/.exec(part?.message ?? '')?.[0] ?? -1);
    };
    const [normal, turbo, capped] = [
      await needed({}),
      await needed({ priority: 'turbo' }),
      await needed({ priority: 'turbo', maxPriorityFeeLamports: '0' }),
    ];
    expect(turbo - normal).toBe(9_000_000n);
    expect(normal - capped).toBe(1_000_000n);
  });
});

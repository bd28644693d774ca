import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../../src/platform/venues/index.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { deadUrl } from '../platform/chain/scripted-rpc.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

let rig: DeskRig;
let api: Api;
beforeAll(async () => {
  rig = await startDeskRig('bad-swap');
  api = buildApi(rig);
});
afterAll(async () => {
  await api.close();
  await rig.stop();
});

type Fields = Readonly<Record<string, unknown>>;
const order = (more: Fields = {}): Fields => ({
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount: '100000000',
  slippageBps: 100,
  ...more,
});
const ask = async (host: Api, path: 'POST /dex/swap' | 'GET /dex/quote', fields: Fields) => {
  const texts = Object.entries(fields).map(([key, value]) => [key, String(value)]);
  const answer =
    path === 'POST /dex/swap'
      ? await post(host.open, { userWalletAddress: rig.wallet, ...fields })
      : await host.open.inject({
          method: 'GET',
          url: `/dex/quote?${new URLSearchParams(Object.fromEntries(texts)).toString()}`,
        });
  return { status: answer.statusCode, body: answer.body, error: answer.json<ErrorAnswer>().error };
};

describe.each(['POST /dex/swap', 'GET /dex/quote'] as const)('%s', (path) => {
  it.each<[string, () => Fields, string, string?]>([
    ['no amount at all', () => ({ amount: '0' }), 'AMOUNT_INVALID', 'amount'],
    ['an amount that is no whole number', () => ({ amount: '1.5' }), 'AMOUNT_INVALID', 'amount'],
    ['an amount above u64', () => ({ amount: '18446744073709551616' }), 'AMOUNT_INVALID', 'amount'],
    ['a slippage above all of it', () => ({ slippageBps: 10_001 }), 'SLIPPAGE_OUT_OF_RANGE', 'slippageBps'],
    ['a slippage in fractions', () => ({ slippageBps: 0.5 }), 'SLIPPAGE_OUT_OF_RANGE', 'slippageBps'],
    ['a token for itself', () => ({ toTokenAddress: SOL }), 'SAME_TOKEN', 'toTokenAddress'],
    ['a mint that is none', () => ({ toTokenAddress: rig.wallet }), 'TOKEN_NOT_FOUND', 'toTokenAddress'],
    [
      'an unknown mint on the other side',
      () => ({ fromTokenAddress: Keypair.generate().publicKey.toBase58() }),
      'TOKEN_NOT_FOUND',
      'fromTokenAddress',
    ],
    [
      'a pair without a way that fits',
      () => ({ fromTokenAddress: rig.token('BAO').mint, toTokenAddress: rig.token('LAN').mint }),
      'ROUTE_TOO_LARGE',
    ],
  ])('answers %s with 400 and a code that says whether to ask again', async (_what, more, code, field) => {
    const { status, body, error } = await ask(api, path, order(more()));
    expect(status, body).toBe(400);
    expect(error).toMatchObject({ code, retryable: false, ...(field === undefined ? {} : { field }) });
    expect(error.message).not.toBe('');
  });

  it('names the mint of a token account that is to be sold', async () => {
    const [pool] = rig.local.world.pools;
    const [account, mint] = [pool?.vaultB, pool?.mintB];
    const { status, body, error } = await ask(
      api,
      path,
      order({ fromTokenAddress: account, toTokenAddress: SOL }),
    );
    expect(status, body).toBe(400);
    expect(error).toMatchObject({
      code: 'TOKEN_ACCOUNT_NOT_MINT',
      field: 'fromTokenAddress',
      retryable: false,
    });
    expect(error.message).toContain(mint);
  });

  it('tells pools that are empty from no pools at all', async () => {
    const dry = buildApi({
      ...rig,
      deps: {
        ...rig.deps,
        venues: rig.venues.map((venue) => ({
          ...venue,
          pools: async (a, b) =>
            (await venue.pools(a, b)).map((pool) => ({
              ...pool,
              // As a concentrated pool without a position says it, whatever it is asked.
              quote: () => 0n,
            })),
        })),
      },
    });
    const { status, body, error } = await ask(dry, path, order());
    await dry.close();
    expect(status, body).toBe(400);
    expect(error).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY', field: 'amount', retryable: false });
  });

  it('asks to try again when the node is down, and names no node', async () => {
    const url = await deadUrl();
    const chain = createRpcChain({ urls: [url], readTimeoutMs: 500 });
    const venues = createVenues({ chain, programs: rig.programs, deskUrl: rig.local.deskUrl });
    const cut = buildApi({ ...rig, chain, deps: { ...rig.deps, chain, venues } });
    const { status, body, error } = await ask(cut, path, order());
    await cut.close();
    expect(status, body).toBe(500);
    expect(error).toMatchObject({ code: 'UPSTREAM_FAILED', retryable: true });
    expect(body).not.toContain(new URL(url).host);
  });
});

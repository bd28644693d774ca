import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../../src/platform/venues/index.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, post, SOL } from './build-api.ts';

type Call = { readonly method: string; readonly params: readonly unknown[] };
type Answer = { readonly data: { readonly rpc: { readonly calls: number; readonly accounts: number } } };

let rig: DeskRig;
let api: Api;
let arrived: Call[] = [];
/** Stands before the local node and notes what arrives there. */
const node = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    arrived.push(JSON.parse(body) as Call);
    void fetch(rig.local.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
      .then((answer) => answer.text())
      .then((text) => response.end(text));
  });
});

beforeAll(async () => {
  rig = await startDeskRig('rpc-cost');
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const { port } = node.address() as AddressInfo;
  const chain = createRpcChain({ urls: [`http://127.0.0.1:${port}`] });
  const venues = createVenues({ chain, programs: rig.programs, deskUrl: rig.local.deskUrl });
  api = buildApi({ ...rig, chain, deps: { ...rig.deps, chain, venues } });
});
afterAll(async () => {
  await api.close();
  node.closeAllConnections();
  await new Promise<void>((resolve) => node.close(() => resolve()));
  await rig.stop();
});

const accountsIn = (calls: readonly Call[]): number =>
  calls
    .filter(({ method }) => method === 'getMultipleAccounts')
    .reduce((sum, { params }) => sum + (params[0] as readonly string[]).length, 0);
const order = (amount: string) => ({
  fromTokenAddress: SOL,
  toTokenAddress: rig.token('PUP').mint,
  amount,
});
const quote = async (amount: string) => {
  const query = new URLSearchParams(order(amount)).toString();
  const answer = await api.open.inject({ method: 'GET', url: `/dex/quote?${query}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>().data.rpc;
};

describe('data.rpc', () => {
  it('counts the calls and accounts that reached the node for a quote, and none that a cache answered', async () => {
    arrived = [];
    const first = await quote('700000000');
    expect(first).toEqual({ calls: arrived.length, accounts: accountsIn(arrived) });
    expect(first.accounts).toBeGreaterThan(0);
    arrived = [];
    const second = await quote('600000000');
    expect(second).toEqual({ calls: arrived.length, accounts: accountsIn(arrived) });
    expect(second.accounts).toBeLessThan(first.accounts);
  });

  it('counts a swap’s simulation too', async () => {
    arrived = [];
    const answer = await post(api.open, { userWalletAddress: rig.wallet, ...order('500000000') });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(arrived.map(({ method }) => method)).toContain('simulateTransaction');
    expect(answer.json<Answer>().data.rpc).toEqual({ calls: arrived.length, accounts: accountsIn(arrived) });
  });

  it('adds up over quotes that run side by side, each call counted once', async () => {
    arrived = [];
    const costs = await Promise.all(['1000001', '1000002', '1000003', '1000004'].map(quote));
    expect(costs.reduce((sum, { calls }) => sum + calls, 0)).toBe(arrived.length);
    expect(costs.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(accountsIn(arrived));
  });
});

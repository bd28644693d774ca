import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import { type DeskRig, startDeskRig } from '../modules/trading/desk-rig.ts';
import { type Api, buildApi, type ErrorAnswer, post, SOL } from './build-api.ts';

const OPEN = { kind: 'open', ratePerSecond: 1_000, burst: 1_000 } as const;
const STRANGER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

let rig: DeskRig;
let api: Api;
let sandbox: FastifyInstance;
beforeAll(async () => {
  rig = await startDeskRig('sandbox');
  api = buildApi(rig);
  const airdrop = async (to: string, lamports: bigint) => {
    await rig.airdrop(address(to), lamports);
    return { signature: 'of the faucet' };
  };
  sandbox = createHost({ ...api.deps, airdrop }, OPEN);
});
afterAll(async () => {
  await sandbox.close();
  await api.close();
  await rig.stop();
});

const ask = (app: FastifyInstance, body: object, remoteAddress = '203.0.113.7') =>
  app.inject({ method: 'POST', url: '/sandbox/airdrop', payload: body, remoteAddress });

it('gives 1 SOL, with which a swap can be built', async () => {
  const order = { fromTokenAddress: SOL, toTokenAddress: rig.token('PUP').mint, amount: '500000000' };
  const swap = () => post(sandbox, { ...order, userWalletAddress: STRANGER });
  expect((await swap()).json<ErrorAnswer>().error.code).toBe('INSUFFICIENT_LAMPORTS');
  const answer = await ask(sandbox, { address: STRANGER });
  expect(answer.json()).toEqual({ data: { signature: 'of the faucet', lamports: '1000000000' } });
  expect(await rig.chain.balance(address(STRANGER))).toBe(1_000_000_000n);
  expect((await swap()).statusCode).toBe(200);
});

it('gives 2 SOL a minute to one address of the network, and others their own', async () => {
  const before = await rig.chain.balance(address(STRANGER));
  const from = (ip: string) => ask(sandbox, { address: STRANGER }, ip);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await from('203.0.113.8')).statusCode);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await from('203.0.113.8');
  expect(refused.headers['retry-after']).toBe('30');
  expect(refused.json<ErrorAnswer>().error).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
  expect((await from('203.0.113.9')).statusCode).toBe(200);
  api.advance(30_000);
  expect((await from('203.0.113.8')).statusCode).toBe(200);
  expect((await rig.chain.balance(address(STRANGER))) - before).toBe(4_000_000_000n);
});

it.each([[{}], [{ address: 'me' }], [{ address: STRANGER, lamports: '5' }], [{ address: 5 }]])(
  'refuses %j, and takes nothing of the limit',
  async (body) => {
    for (let count = 0; count < 5; count += 1) {
      const answer = await ask(sandbox, body, '203.0.113.10');
      expect([answer.statusCode, answer.json<ErrorAnswer>().error.code]).toEqual([400, 'ADDRESS_INVALID']);
    }
  },
);

it('is for pages of every origin, and does not exist where no play money is', async () => {
  const preflight = await sandbox.inject({ method: 'OPTIONS', url: '/sandbox/airdrop' });
  expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST']);
  const keyed = createHost(
    { ...api.deps, airdrop: async () => ({ signature: 'never' }) },
    { kind: 'charts' },
  );
  for (const app of [api.open, keyed]) {
    expect((await ask(app, { address: STRANGER })).statusCode).toBe(404);
    const { headers } = await app.inject({ method: 'OPTIONS', url: '/sandbox/airdrop' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  await keyed.close();
});

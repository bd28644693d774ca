import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { toBase58 } from '../../src/address.ts';
import type { FaultPlanInput } from '../../src/faults/fault-plan.ts';
import { PROVIDER_NAMES, providerPlan, type RunningChain } from '../../src/index.ts';
import { TOKEN_PROGRAM } from '../../src/programs.ts';
import { fund, manualChain, rpc, web3 } from '../support/start.ts';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(9));

async function behind(
  plan: FaultPlanInput,
): Promise<{ readonly running: RunningChain; readonly pass: (ms: number) => void }> {
  let at = 1_000_000;
  const running = await manualChain({ faults: {}, clock: { now: () => at } });
  await fund(running, payer);
  running.faults?.setPlan(plan);
  return {
    running,
    pass: (ms) => {
      at += ms;
    },
  };
}

const ask = (url: string, method: string, ...params: unknown[]): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

it('limits calls per method and in all within a window that slides, and says how long to wait', async () => {
  const { running, pass } = await behind(providerPlan('public'));
  for (let call = 0; call < 40; call += 1) expect((await ask(running.rpcUrl, 'getSlot')).status).toBe(200);
  const limited = await ask(running.rpcUrl, 'getSlot');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, null]);
  for (let call = 0; call < 40; call += 1) await ask(running.rpcUrl, 'getBlockHeight');
  for (let call = 0; call < 19; call += 1) await ask(running.rpcUrl, 'getEpochInfo');
  const all = await ask(running.rpcUrl, 'getVersion');
  expect([all.status, all.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await ask(running.directUrl, 'getSlot')).status).toBe(200);
  pass(10_001);
  expect((await ask(running.rpcUrl, 'getSlot')).status).toBe(200);
});

it.each([
  ['free', 10, 1],
  ['paid', 50, 5],
])('serves every method to a %s plan, %i calls and %i sends a second', async (name, calls, sends) => {
  const { running, pass } = await behind(providerPlan(name));
  const statusOf = async (method: string, count: number): Promise<readonly number[]> =>
    (await Promise.all(Array.from({ length: count }, () => ask(running.rpcUrl, method)))).map(
      ({ status }) => status,
    );
  const within = (count: number, beyond: number): readonly number[] => [
    ...Array.from({ length: count }, () => 200),
    ...Array.from({ length: beyond }, () => 429),
  ];
  expect((await statusOf('getSlot', calls + 2)).toSorted((one, other) => one - other)).toEqual(
    within(calls, 2),
  );
  pass(1_001);
  expect((await statusOf('sendTransaction', sends + 1)).toSorted((one, other) => one - other)).toEqual(
    within(sends, 1),
  );
  pass(1_001);
  expect((await rpc(running, 'getProgramAccounts', TOKEN_PROGRAM)).error?.code).not.toBe(-32_010);
});

it('lists no program and no holders on a public node, and says which code', async () => {
  const { running } = await behind(providerPlan('public'));
  expect((await rpc(running, 'getProgramAccounts', TOKEN_PROGRAM)).error.code).toBe(-32_010);
  const [token] = running.world.tokens;
  expect((await rpc(running, 'getTokenLargestAccounts', token?.mint)).error.code).toBe(-32_010);
  const direct = await (await ask(running.directUrl, 'getTokenLargestAccounts', token?.mint)).json();
  expect(direct).toHaveProperty('result.value');
});

it('forgets what is older than the history that it keeps', async () => {
  const { running } = await behind({ rules: [{ kind: 'prune', keepsSlots: 50 }] });
  const connection = web3(running);
  const send = async (lamports: number): Promise<string> => {
    const slot = running.chain.slots.tip() - 1;
    const transaction = new Transaction().add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports }),
    );
    transaction.recentBlockhash = running.chain.slots.hashOf(slot);
    transaction.feePayer = payer.publicKey;
    transaction.sign(payer);
    return connection.sendRawTransaction(transaction.serialize());
  };
  const old = await send(1);
  const oldSlot = running.chain.slots.tip();
  running.advanceSlots(100);
  const young = await send(2);
  running.advanceSlots(5);
  const listed = await connection.getSignaturesForAddress(payer.publicKey, {}, 'confirmed');
  expect(listed.map(({ signature }) => signature)).toEqual([young]);
  expect(
    await connection.getTransaction(old, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
  ).toBeNull();
  const { value } = await connection.getSignatureStatuses([old, young], { searchTransactionHistory: true });
  expect([value[0], value[1]?.err]).toEqual([null, null]);
  expect(await connection.getFirstAvailableBlock()).toBe(running.chain.slots.tip() - 50);
  expect((await rpc(running, 'getBlock', oldSlot)).error.code).toBe(-32_001);
});

it('answers truly under a wrong slot', async () => {
  const { running } = await behind({ rules: [{ kind: 'wrong-slot', slots: 150 }] });
  const slots = new Set<number>();
  for (let call = 0; call < 20; call += 1) {
    const { context, value } = await web3(running).getBalanceAndContext(payer.publicKey);
    expect(value).toBe(10 * 1_000_000_000);
    expect(Math.abs(context.slot - running.chain.slots.tip())).toBeLessThanOrEqual(150);
    slots.add(context.slot);
  }
  expect(slots.size).toBeGreaterThan(5);
});

it('cuts lists and says nothing, and leaves a status per signature', async () => {
  const { running } = await behind({});
  const mint = new PublicKey(running.world.tokens[0]?.mint ?? '');
  const whole = await web3(running).getTokenLargestAccounts(mint);
  running.faults?.setPlan({ rules: [{ kind: 'truncate' }] });
  expect(whole.value).not.toEqual([]);
  const cut = await web3(running).getTokenLargestAccounts(mint);
  expect(cut.value).toEqual(whole.value.slice(0, Math.floor(whole.value.length / 2)));
  const asked = [1, 2].map((byte) => toBase58(new Uint8Array(64).fill(byte)));
  expect((await web3(running).getSignatureStatuses(asked)).value).toHaveLength(2);
});

it('answers with a page of words', async () => {
  const { running } = await behind({ rules: [{ kind: 'page' }] });
  const response = await ask(running.rpcUrl, 'getSlot');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
});

it('takes a provider by name while it runs, and refuses one that there is none of', async () => {
  const { running } = await behind({});
  const control = (body: object) => running.faults?.control(JSON.stringify(body)).status;
  expect(PROVIDER_NAMES.map((provider) => control({ provider }))).toEqual([200, 200, 200, 200]);
  expect(control({ provider: 'friendly' })).toBe(400);
});

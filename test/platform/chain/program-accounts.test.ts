import { type Address, addressFromBytes } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { createProgramAccounts } from '../../../src/platform/chain/program-accounts.ts';
import { deadUrl, type Reply, startScriptedRpc } from './scripted-rpc.ts';

const key = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const PROGRAM = key(7);
const search = {
  programId: PROGRAM,
  filters: [
    { kind: 'size', bytes: 165 },
    { kind: 'match', offset: 8, bytes: new Uint8Array([1, 2, 3]) },
  ],
} as const;

const listed = (...pubkeys: readonly Address[]): Reply => ({
  result: pubkeys.map((pubkey) => ({
    pubkey,
    account: { lamports: 5, owner: PROGRAM, data: ['AQI=', 'base64'], executable: false, rentEpoch: 0 },
  })),
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function rig(answer: () => Reply) {
  const rpc = await startScriptedRpc(answer);
  stops.push(rpc.stop);
  return { rpc, programAccounts: createProgramAccounts({ urls: [await deadUrl(), rpc.url] }) };
}

describe('program accounts', () => {
  it('lists by size and bytes, from the endpoint that answers', async () => {
    const { rpc, programAccounts } = await rig(() => listed(key(1)));
    const [found] = (await programAccounts.find(search)) ?? [];
    expect(found).toMatchObject({ address: key(1), account: { owner: PROGRAM, lamports: 5n } });
    expect([...(found?.account.data ?? [])]).toEqual([1, 2]);
    expect(rpc.calls).toHaveLength(1);
    expect(rpc.calls[0]).toMatchObject({
      method: 'getProgramAccounts',
      params: [
        PROGRAM,
        { commitment: 'confirmed', filters: [{ dataSize: 165 }, { memcmp: { offset: 8, bytes: 'Ldp' } }] },
      ],
    });
  });

  it('fails when no endpoint lists, and asks anew the next time', async () => {
    let fails = true;
    const { programAccounts } = await rig(() => (fails ? { status: 503 } : listed(key(1))));
    await expect(programAccounts.find(search)).rejects.toThrow('CHAIN_UNREACHABLE');
    fails = false;
    expect(await programAccounts.find(search)).toHaveLength(1);
  });

  it.each([
    [
      'says that it is excluded',
      { error: { code: -32_010, message: 'excluded from account secondary indexes' } },
    ],
    ['does not know the method', { error: { code: -32_601, message: 'Method not found' } }],
    ['forbids it', { status: 403 }],
  ])('asks a node that %s once an hour, and says that none lists', async (_, refusal) => {
    let time = 0;
    const rpc = await startScriptedRpc(() => refusal);
    stops.push(rpc.stop);
    const programAccounts = createProgramAccounts({ urls: [rpc.url], now: () => time });
    for (let n = 0; n < 5; n += 1) expect(await programAccounts.find(search)).toBeNull();
    expect(rpc.calls).toHaveLength(1);
    time += 3_600_001;
    expect(await programAccounts.find(search)).toBeNull();
    expect(rpc.calls).toHaveLength(2);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createProgramAccounts } from '../../../src/adapters/chain/program-accounts.ts';
import { type Address, addressFromBytes } from '../../../src/core/address/address.ts';
import type { ChainAccount } from '../../../src/core/ports/chain.ts';
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

const account = (owner: Address, data: number[]): ChainAccount => ({
  lamports: 6n,
  owner,
  data: Uint8Array.from(data),
  executable: false,
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function rig(answer: () => Reply, now: Map<Address, ChainAccount> = new Map()) {
  const rpc = await startScriptedRpc(answer);
  stops.push(rpc.stop);
  const reads: (readonly Address[])[] = [];
  let time = 0;
  const programAccounts = createProgramAccounts({
    urls: [await deadUrl(), rpc.url],
    ttlMs: 1_000,
    now: () => time,
    accounts: async (addresses) => {
      reads.push(addresses);
      return { accounts: addresses.map((one) => now.get(one) ?? null) };
    },
  });
  return { rpc, reads, programAccounts, advance: (ms: number) => (time += ms) };
}

describe('program accounts', () => {
  it('lists by size and bytes, from the endpoint that answers', async () => {
    const { rpc, programAccounts, reads } = await rig(() => listed(key(1)));
    const [found] = await programAccounts.find(search);
    expect(found).toMatchObject({ address: key(1), account: { owner: PROGRAM, lamports: 5n } });
    expect([...(found?.account.data ?? [])]).toEqual([1, 2]);
    expect(reads).toEqual([]);
    expect(rpc.calls).toHaveLength(1);
    expect(rpc.calls[0]).toMatchObject({
      method: 'getProgramAccounts',
      params: [
        PROGRAM,
        { commitment: 'confirmed', filters: [{ dataSize: 165 }, { memcmp: { offset: 8, bytes: 'Ldp' } }] },
      ],
    });
  });

  it('keeps addresses for a while and reads their states again', async () => {
    const states = new Map([
      [key(1), account(PROGRAM, [9])],
      [key(2), account(key(8), [9])],
    ]);
    const { rpc, programAccounts, reads, advance } = await rig(() => listed(key(1), key(2), key(3)), states);
    expect(await programAccounts.find(search)).toHaveLength(3);
    // The second belongs to another program by now, the third has gone.
    expect(
      (await programAccounts.find(search)).map((found) => [found.address, [...found.account.data]]),
    ).toEqual([[key(1), [9]]]);
    expect(reads).toEqual([[key(1), key(2), key(3)]]);
    expect(rpc.calls).toHaveLength(1);
    advance(1_001);
    await programAccounts.find(search);
    expect(rpc.calls).toHaveLength(2);
  });

  it('keeps searches apart and forgets a failed one', async () => {
    let fails = true;
    const { rpc, programAccounts } = await rig(() => (fails ? { status: 503 } : listed(key(1))));
    await expect(programAccounts.find(search)).rejects.toThrow('CHAIN_UNREACHABLE');
    fails = false;
    expect(await programAccounts.find(search)).toHaveLength(1);
    const calls = rpc.calls.length;
    await programAccounts.find({ ...search, filters: [{ kind: 'size', bytes: 1 }] });
    expect(rpc.calls.length).toBe(calls + 1);
  });
});

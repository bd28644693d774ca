import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { type Address, addressFromBytes } from '@tradepost/solana';
import { afterEach, describe, expect, it } from 'vitest';
import { createProgramBuilds } from '../../../src/platform/chain/program-builds.ts';
import { type Reply, startScriptedRpc } from './scripted-rpc.ts';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const key = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const placeOf = (program: Address): string =>
  PublicKey.findProgramAddressSync([new PublicKey(program).toBytes()], new PublicKey(LOADER))[0].toBase58();

function programData(slot: bigint, code: readonly number[], kind = 3): Buffer {
  const data = Buffer.alloc(45 + code.length);
  data.writeUInt32LE(kind, 0);
  data.writeBigUInt64LE(slot, 4);
  data[12] = 1;
  data.set(code, 45);
  return data;
}

const told = (data: Buffer, owner = LOADER) => ({
  lamports: 5,
  owner,
  data: [data.toString('base64'), 'base64'],
  executable: false,
  rentEpoch: 0,
});
const answer = (value: unknown): Reply => ({ result: { context: { slot: 9 }, value } });

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
async function rig(reply: Reply) {
  const rpc = await startScriptedRpc(() => reply);
  stops.push(rpc.stop);
  return { rpc, builds: createProgramBuilds({ urls: [rpc.url] }) };
}

describe('program builds', () => {
  it('are dated by one call that reads heads alone', async () => {
    const { rpc, builds } = await rig(
      answer([
        told(programData(7n, [])),
        null,
        told(programData(8n, []), key(9)),
        told(programData(8n, [], 1)),
        told(programData(8n, []).subarray(0, 44)),
      ]),
    );
    const programs = [1, 2, 3, 4, 5].map(key);
    expect(await builds.deployedAt(programs)).toEqual([7n, null, null, null, null]);
    expect(rpc.calls).toHaveLength(1);
    expect(rpc.calls[0]).toMatchObject({
      method: 'getMultipleAccounts',
      params: [programs.map(placeOf), { dataSlice: { offset: 0, length: 45 } }],
    });
  });

  it('ask for nothing where there is no program', async () => {
    const { rpc, builds } = await rig(answer([]));
    expect(await builds.deployedAt([])).toEqual([]);
    expect(rpc.calls).toEqual([]);
  });

  it('are the hash of the code, whatever room is behind it', async () => {
    const code = [127, 69, 76, 70, 0, 0, 5];
    const sha256 = createHash('sha256').update(Uint8Array.from(code)).digest('hex');
    for (const room of [0, 1, 500]) {
      const data = programData(7n, [...code, ...Array.from({ length: room }, () => 0)]);
      const { rpc, builds } = await rig(answer(told(data)));
      expect(await builds.read(key(1))).toEqual({ slot: 7n, sha256 });
      expect(rpc.calls[0]).toMatchObject({ method: 'getAccountInfo', params: [placeOf(key(1)), {}] });
    }
  });

  it('are none where the loader keeps none', async () => {
    expect(await (await rig(answer(null))).builds.read(key(1))).toBeNull();
    expect(await (await rig(answer(told(programData(7n, [1]), key(9))))).builds.read(key(1))).toBeNull();
  });

  it('fail when no node answers', async () => {
    const { builds } = await rig({ status: 503 });
    await expect(builds.deployedAt([key(1)])).rejects.toThrow('CHAIN_UNREACHABLE');
  });
});

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createFaucet } from '../src/faucet.ts';
import { FAUCET_KEY } from '../src/genesis/create-world.ts';
import { type Address, deriveKey, type RunningChain, seedOf } from '../src/index.ts';
import { manualChain, rpc, web3 } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-compaction-'));
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(root, 'state-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Never by itself unless a test says so. */
const NEVER = 1_000_000;
const alice = Keypair.generate().publicKey;

/** One SOL for Alice per slot, past the network: nothing else gets a turn meanwhile. The signatures. */
function airdrops(running: RunningChain, count: number): string[] {
  const faucet = createFaucet(running.chain, deriveKey(seedOf('test'), FAUCET_KEY));
  return Array.from({ length: count }, () => {
    const result = faucet.airdrop(alice.toBase58() as Address, BigInt(LAMPORTS_PER_SOL));
    if (result.kind !== 'landed') throw new Error(JSON.stringify(result.err));
    running.advanceSlots(1);
    return result.transaction.signature;
  });
}

const journals = (at: string): string[] => readdirSync(at).filter((name) => name.startsWith('journal'));
const linesOf = (at: string, name: string): string[] =>
  readFileSync(join(at, name), 'utf8').trim().split('\n');
const balance = (running: RunningChain) => web3(running).getBalance(alice, 'processed');
const history = async (running: RunningChain) =>
  (await web3(running).getSignaturesForAddress(alice, {}, 'confirmed')).map(({ signature }) => signature);

it('keeps the newest blocks of history whole, and drops older ones whole', async () => {
  const running = await manualChain({ historyLimit: 4 });
  airdrops(running, 12);
  expect(await history(running)).toHaveLength(4);
  expect(await web3(running).getFirstAvailableBlock()).toBe(1008);
  expect(await web3(running).getTransactionCount('processed')).toBe(12);
  // Three in one block: to keep four of five, both of the other block must go.
  const connection = web3(running);
  for (const slot of [0, 1]) {
    for (let i = 0; i < 3 - slot; i += 1) await connection.requestAirdrop(alice, LAMPORTS_PER_SOL);
    running.advanceSlots(1);
  }
  expect(await history(running)).toHaveLength(2);
  expect(await connection.getFirstAvailableBlock()).toBe(1013);
});

it('bounds history in memory as well', async () => {
  const running = await manualChain({ historyBytes: 10_000 });
  airdrops(running, 12);
  // A transfer weighs a little above 3 kB.
  expect(await history(running)).toHaveLength(3);
});

it('still refuses a signature of which history has dropped the contents, and tells how it ended', async () => {
  const running = await manualChain({ dir, historyLimit: 2, snapshotEvery: NEVER });
  const [first = ''] = airdrops(running, 1);
  const wire = (await rpc(running, 'getTransaction', first, { commitment: 'confirmed', encoding: 'base64' }))
    .result as unknown as { readonly transaction: readonly [string, string] };
  airdrops(running, 5);
  const check = async (chain: RunningChain): Promise<void> => {
    expect(await web3(chain).getTransaction(first, { commitment: 'confirmed' })).toBeNull();
    expect((await web3(chain).getSignatureStatus(first)).value).toMatchObject({ slot: 1000, err: null });
    const again = await rpc(chain, 'sendTransaction', wire.transaction[0], {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    expect(again.error.message).toContain('already been processed');
  };
  await check(running);
  await running.compact();
  expect(linesOf(dir, 'journal-2.jsonl').map((line) => JSON.parse(line).kind)).toEqual([
    ...Array(4).fill('status'),
    ...Array(2).fill('landed'),
  ]);
  await running.stop();
  await check(await manualChain({ dir, historyLimit: 2, snapshotEvery: NEVER }));
});

it('writes its journal anew with what history keeps, and serves on meanwhile', async () => {
  const options = { dir, historyLimit: 120, snapshotEvery: NEVER };
  const first = await manualChain(options);
  airdrops(first, 200);
  expect(linesOf(dir, 'journal-1.jsonl')).toHaveLength(200);
  const done = first.compact();
  expect(first.compacting()).toBe(done);
  expect(first.compact()).toBe(done);
  // Landed after the compaction began and before its file is in place.
  const late = airdrops(first, 1);
  expect(journals(dir)).toEqual(['journal-1.jsonl', 'journal-2.jsonl']);
  await done;
  expect(first.compacting()).toBeNull();
  expect(journals(dir)).toEqual(['journal-2.jsonl']);
  const before = await history(first);
  expect(before).toHaveLength(120);
  expect(before[0]).toBe(late[0]);
  // Killed now: nothing is saved on the way out.
  cpSync(dir, `${dir}-killed`, { recursive: true });
  rmSync(join(`${dir}-killed`, 'lock'));
  await first.stop();
  const second = await manualChain({ ...options, dir: `${dir}-killed` });
  expect(await history(second)).toEqual(before);
  expect(await balance(second)).toBe(201 * LAMPORTS_PER_SOL);
  expect(await web3(second).getTransactionCount('processed')).toBe(201);
  expect(await web3(second).getFirstAvailableBlock()).toBe(1081);
  airdrops(second, 1);
  await second.stop();
  const third = await manualChain({ ...options, dir: `${dir}-killed` });
  expect(await balance(third)).toBe(202 * LAMPORTS_PER_SOL);
});

it('loses nothing to a kill at any step of a compaction', async () => {
  const options = { dir, historyLimit: 200, snapshotEvery: NEVER };
  const running = await manualChain(options);
  airdrops(running, 260);
  // The files of each turn of the loop, as a kill at that moment would leave them, with the number acknowledged by then.
  const copies: { readonly at: string; readonly acknowledged: number; readonly newest: string }[] = [];
  let acknowledged = 260;
  const copy = (newest: string): void => {
    const at = `${dir}-${copies.length}`;
    cpSync(dir, at, { recursive: true });
    copies.push({ at, acknowledged, newest });
  };
  const before = readFileSync(join(dir, 'snapshot.bin'));
  const oldJournal = readFileSync(join(dir, 'journal-1.jsonl'));
  const done = running.compact();
  while (running.compacting() !== null) {
    // A turn of ours for each of the compaction's.
    const [newest = ''] = airdrops(running, 1);
    acknowledged += 1;
    copy(newest);
    await nextTurn();
  }
  await done;
  const [newest = ''] = airdrops(running, 1);
  acknowledged += 1;
  copy(newest);
  // The snapshot is half written; the snapshot is in place and the old journal not yet gone.
  const [first, last] = [copies[0], copies.at(-1)];
  if (first === undefined || last === undefined) throw new Error('nothing was copied');
  const half = `${first.at}-half`;
  cpSync(first.at, half, { recursive: true });
  writeFileSync(join(half, 'snapshot.bin.tmp'), before.subarray(0, 1000));
  const twice = `${last.at}-twice`;
  cpSync(last.at, twice, { recursive: true });
  writeFileSync(join(twice, 'journal-1.jsonl'), oldJournal);
  await running.stop();

  // Of 200 transactions and 60 statuses fifty are written at a stretch: five times the new file was there and not in place.
  expect(copies.map(({ at }) => journals(at).length)).toEqual([2, 2, 2, 2, 2, 1]);
  for (const state of [...copies, { ...first, at: half }, { ...last, at: twice }]) {
    rmSync(join(state.at, 'lock'), { force: true });
    const survivor = await manualChain({ ...options, dir: state.at });
    expect(await balance(survivor), state.at).toBe(state.acknowledged * LAMPORTS_PER_SOL);
    const page = await history(survivor);
    expect([page.length, page[0]], state.at).toEqual([200, state.newest]);
    expect(journals(state.at), state.at).toHaveLength(1);
    await survivor.stop();
  }
}, 60_000);

it('compacts by itself when half of its journal is forgotten', async () => {
  const running = await manualChain({ dir, historyLimit: 10, snapshotEvery: 10 });
  airdrops(running, 19);
  expect(running.compacting()).toBeNull();
  expect(journals(dir)).toEqual(['journal-1.jsonl']);
  airdrops(running, 1);
  await running.compacting();
  expect(journals(dir)).toEqual(['journal-2.jsonl']);
  // All that was ever known is among the last ten and the statuses before them.
  expect(linesOf(dir, 'journal-2.jsonl')).toHaveLength(20);
});

it('stays bounded on disk however much lands', async () => {
  const running = await manualChain({ dir, historyLimit: 10, snapshotEvery: 10 });
  running.advanceSlots(1);
  for (let round = 0; round < 6; round += 1) {
    airdrops(running, 30);
    // Statuses are kept for 512 slots.
    running.advanceSlots(600);
    await running.compacting();
  }
  await running.compact();
  expect(statSync(join(dir, journals(dir)[0] ?? '')).size).toBeLessThan(30_000);
  expect(await balance(running)).toBe(180 * LAMPORTS_PER_SOL);
});

it('gives a compaction up when it stops, and continues from the old journal', async () => {
  const options = { dir, historyLimit: 200, snapshotEvery: NEVER };
  const first = await manualChain(options);
  airdrops(first, 210);
  const done = first.compact();
  await first.stop();
  await done;
  expect(journals(dir)).toEqual(['journal-1.jsonl']);
  expect(await balance(await manualChain(options))).toBe(210 * LAMPORTS_PER_SOL);
});

it('has nothing to compact in memory', async () => {
  const running = await manualChain();
  airdrops(running, 2);
  await running.compact();
  expect(await balance(running)).toBe(2 * LAMPORTS_PER_SOL);
  expect(await web3(running).getBalance(new PublicKey(running.world.faucet))).toBeGreaterThan(0);
});

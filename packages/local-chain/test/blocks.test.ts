import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { afterAll, expect, it } from 'vitest';
import type { RunningChain } from '../src/index.ts';
import { manualChain, rpc, web3 } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-blocks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Block = {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number;
  readonly signatures?: readonly string[];
  readonly rewards?: unknown;
  readonly transactions?: readonly {
    readonly transaction: Record<string, unknown>;
    readonly meta: Record<string, unknown>;
    readonly version?: unknown;
  }[];
};

async function block(running: RunningChain, slot: number, config: object = {}): Promise<Block> {
  const answer = await rpc(running, 'getBlock', slot, { commitment: 'confirmed', ...config });
  return answer.result as unknown as Block;
}

/** Three transactions in the first slot, none in the second, one in the third. */
async function threeBlocks(
  running: RunningChain,
): Promise<{ readonly alice: string; readonly sent: string[] }> {
  const [alice, bob] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
  const drop = (to: typeof alice) => web3(running).requestAirdrop(to, LAMPORTS_PER_SOL);
  const sent = [await drop(bob), await drop(alice), await drop(bob)];
  running.advanceSlots(2);
  sent.push(await drop(alice));
  running.advanceSlots(1);
  return { alice: alice.toBase58(), sent };
}

it('tells in a history where in its block a transaction stands', async () => {
  const running = await manualChain();
  const { alice, sent } = await threeBlocks(running);
  const page = await rpc(running, 'getSignaturesForAddress', alice, { commitment: 'confirmed' });
  expect(page.result).toMatchObject([
    { slot: 1002, signature: sent[3], transactionIndex: 0 },
    { slot: 1000, signature: sent[1], transactionIndex: 1 },
  ]);
  expect((await block(running, 1000, { transactionDetails: 'signatures' })).signatures).toEqual(
    sent.slice(0, 3),
  );
});

it('chains every block to the one before, empty ones too, and lists each once', async () => {
  const running = await manualChain();
  await threeBlocks(running);
  const slots = (await rpc(running, 'getBlocks', 1000, null, { commitment: 'confirmed' })).result;
  expect(slots).toEqual([1000, 1001, 1002]);
  const blocks = await Promise.all([1000, 1001, 1002].map((slot) => block(running, slot)));
  expect(blocks.map(({ parentSlot }) => parentSlot)).toEqual([999, 1000, 1001]);
  expect(blocks.map(({ transactions }) => transactions?.length)).toEqual([3, 0, 1]);
  for (const [at, one] of blocks.entries()) {
    if (at > 0) expect(one.previousBlockhash).toBe(blocks[at - 1]?.blockhash);
  }
});

it('serves a block at every level of detail', async () => {
  const running = await manualChain();
  const { sent } = await threeBlocks(running);
  const full = await block(running, 1000, { maxSupportedTransactionVersion: 0 });
  expect(Object.keys(full).toSorted()).toEqual([
    'blockHeight',
    'blockTime',
    'blockhash',
    'parentSlot',
    'previousBlockhash',
    'rewards',
    'transactions',
  ]);
  const bare = await block(running, 1000, { rewards: false, maxSupportedTransactionVersion: 0 });
  expect(bare.rewards).toBeUndefined();
  expect(bare.transactions?.[0]?.meta['rewards']).toBeUndefined();
  expect(full.transactions?.[0]?.meta['rewards']).toEqual([]);

  const accounts = await block(running, 1000, {
    transactionDetails: 'accounts',
    rewards: false,
    maxSupportedTransactionVersion: 0,
  });
  for (const [at, one] of (accounts.transactions ?? []).entries()) {
    expect(one.transaction['signatures']).toEqual([sent[at]]);
    expect(one.transaction['accountKeys']).toContainEqual({
      pubkey: running.world.faucet,
      signer: true,
      writable: true,
      source: 'transaction',
    });
    expect(one.transaction['message']).toBeUndefined();
    expect(one.version).toBe('legacy');
    const { innerInstructions, logMessages, computeUnitsConsumed, loadedAddresses, rewards, ...balances } =
      full.transactions?.[at]?.meta ?? {};
    expect([innerInstructions, loadedAddresses, rewards]).toEqual([[], { writable: [], readonly: [] }, []]);
    expect(logMessages).not.toEqual([]);
    expect(computeUnitsConsumed).toBeGreaterThan(0);
    expect(one.meta).toEqual(balances);
  }
  const none = await block(running, 1000, { transactionDetails: 'none' });
  expect([none.transactions, none.signatures]).toEqual([undefined, undefined]);
  for (const encoding of ['json', 'jsonParsed', 'base64', 'base58']) {
    const encoded = await block(running, 1000, { encoding, maxSupportedTransactionVersion: 0 });
    expect(encoded.transactions, encoding).toHaveLength(3);
  }
  expect(
    (await rpc(running, 'getBlock', 1000, { commitment: 'confirmed', transactionDetails: 'all' })).error,
  ).toEqual(expect.objectContaining({ code: -32602 }));
});

it('gives a block the same hash and time after a restart', async () => {
  const dir = join(root, 'restart');
  let now = 1_800_000_000_000;
  const clock = { now: () => now };
  const first = await manualChain({ dir, clock });
  await threeBlocks(first);
  const before = await block(first, 1000);
  await first.stop();
  now += 3_600_000;
  const second = await manualChain({ dir, clock });
  second.advanceSlots(1);
  expect(await block(second, 1000)).toEqual(before);
  expect(before.blockTime).toBe(1_800_000_000);
});

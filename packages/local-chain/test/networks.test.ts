import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, LAMPORTS_PER_SOL, SYSVAR_RENT_PUBKEY } from '@solana/web3.js';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalChain } from '../src/index.ts';
import { manualChain, rpc, web3 } from './support/start.ts';

const root = mkdtempSync(join(tmpdir(), 'local-chain-networks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIRMED = { commitment: 'confirmed' };
const autumn = (options: Parameters<typeof manualChain>[0] = {}) =>
  manualChain({ network: 'mainnet-2026-11', ...options });

describe('the mainnet of November 2026', () => {
  it('is final when it is confirmed, says so by its certificate, and takes version 1', async () => {
    const running = await autumn();
    const connection = web3(running);
    const alice = Keypair.generate().publicKey;
    const signature = await connection.requestAirdrop(alice, LAMPORTS_PER_SOL);
    expect(await connection.getBalance(alice, 'finalized')).toBe(0);
    running.advanceSlots(2);
    const { value } = await connection.getSignatureStatus(signature);
    expect(value).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
    expect(await connection.getBalance(alice, 'finalized')).toBe(LAMPORTS_PER_SOL);
    expect((await rpc(running, 'getAgGenesisCert')).result).toMatchObject({ slot: 1000 });
  });

  it('has the fallen rent', async () => {
    const connection = web3(await autumn());
    const rent = await connection.getAccountInfo(SYSVAR_RENT_PUBKEY);
    expect(rent?.data.readBigUInt64LE(0)).toBe(2_575n);
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe((165 + 128) * 2_575);
  });

  it('has one slot in twenty without a block: lists, parents and heights agree on which', async () => {
    const running = await autumn();
    const first = running.chain.slots.tip();
    running.advanceSlots(400);
    const last = running.chain.slots.at('confirmed');
    const slots = (await rpc(running, 'getBlocks', first, last, CONFIRMED)).result as unknown as number[];
    expect([19, 20]).toContain(last - first + 1 - slots.length);
    const listed = new Set(slots);
    const missing = Array.from({ length: last - first }, (_, i) => first + i).filter((s) => !listed.has(s));
    expect(missing.length).toBeGreaterThan(15);
    for (const slot of missing)
      expect((await rpc(running, 'getBlock', slot, CONFIRMED)).error).toMatchObject({ code: -32007 });
    let parent: { slot: number; height: number; hash: string } | null = null;
    for (const slot of slots) {
      const block = (await rpc(running, 'getBlock', slot, CONFIRMED)).result as unknown as {
        readonly parentSlot: number;
        readonly blockHeight: number;
        readonly previousBlockhash: string;
        readonly blockhash: string;
      };
      if (parent !== null) {
        expect([block.parentSlot, block.previousBlockhash]).toEqual([parent.slot, parent.hash]);
        expect(block.blockHeight).toBe(parent.height + 1);
      }
      parent = { slot, height: block.blockHeight, hash: block.blockhash };
    }
    const limited = (await rpc(running, 'getBlocksWithLimit', first, 50, CONFIRMED)).result;
    expect(limited).toEqual(slots.slice(0, 50));
  });

  it('counts the life of a blockhash in blocks, whatever slots pass without one', async () => {
    const running = await autumn();
    const connection = web3(running);
    running.advanceSlots(40);
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('processed');
    const from = running.chain.slots.tip();
    const isValid = async () =>
      (await connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value;
    while ((await connection.getBlockHeight('processed')) < lastValidBlockHeight) running.advanceSlots(1);
    expect(await isValid()).toBe(true);
    const height = await connection.getBlockHeight('processed');
    while ((await connection.getBlockHeight('processed')) === height) running.advanceSlots(1);
    expect(await isValid()).toBe(false);
    expect(running.chain.slots.tip() - from).toBeGreaterThan(155);
  });

  it('keeps its calendar over a restart without its name, and is no other one afterwards', async () => {
    const dir = mkdtempSync(join(root, 'state-'));
    const first = await autumn({ dir });
    first.advanceSlots(100);
    const [tip, height] = [first.chain.slots.tip(), first.chain.slots.heightOf(first.chain.slots.tip())];
    await first.stop();
    const second = await manualChain({ dir, networkIfNew: '2025' });
    const opened = second.chain.slots.tip();
    expect(opened).toBeGreaterThan(tip);
    expect(second.chain.slots.isSkipped(opened)).toBe(false);
    expect(second.chain.slots.heightOf(opened)).toBe(height + 1);
    await second.stop();
    await expect(startLocalChain({ dir, slotMs: 0, network: '2025' })).rejects.toThrow(
      /was made as mainnet-2026-11 and is now opened as 2025/,
    );
  });
});

it('the network of 2025 refuses version 1, is final after 32 slots and has a block in each', async () => {
  const running = await manualChain({ network: '2025' });
  running.advanceSlots(100);
  const { slots } = running.chain;
  expect([slots.tip() - slots.at('finalized'), slots.tip()]).toEqual([32, 1100]);
  expect((await rpc(running, 'getAgGenesisCert')).result).toBeNull();
  expect(await web3(running).getAccountInfo(Keypair.generate().publicKey)).toBeNull();
  const rent = await web3(running).getAccountInfo(SYSVAR_RENT_PUBKEY);
  expect(rent?.data.readBigUInt64LE(0)).toBe(6_960n);
});

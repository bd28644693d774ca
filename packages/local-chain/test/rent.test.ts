import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { afterEach, expect, it } from 'vitest';
import { type RunningChain, startLocalChain } from '../src/index.ts';

const running: RunningChain[] = [];
afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop();
});
const start = async (dir?: string) => {
  const chain = await startLocalChain({ slotMs: 0, seed: 'rent', ...(dir === undefined ? {} : { dir }) });
  running.push(chain);
  return { chain, rpc: new Connection(chain.rpcUrl, 'confirmed') };
};

it('a rent that falls lets accounts hold less, from then on, and is what nodes tell', async () => {
  const { chain, rpc } = await start();
  const payer = Keypair.generate();
  await rpc.requestAirdrop(payer.publicKey, 1_000_000_000);
  chain.advanceSlots(1);
  const pay = async (lamports: number) => {
    const to = Keypair.generate().publicKey;
    const { blockhash } = await rpc.getLatestBlockhash('confirmed');
    const transfer = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
    transfer.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports }));
    transfer.sign(payer);
    await rpc.sendRawTransaction(transfer.serialize());
    chain.advanceSlots(1);
    return rpc.getBalance(to);
  };
  expect(await rpc.getMinimumBalanceForRentExemption(165)).toBe(2_039_280);
  await expect(pay(650_240)).rejects.toThrow('insufficient funds for rent');
  chain.setRent(5_080n);
  chain.advanceSlots(1);
  expect(await rpc.getMinimumBalanceForRentExemption(165)).toBe(1_488_440);
  expect(await pay(650_240)).toBe(650_240);
  await expect(pay(650_239)).rejects.toThrow('insufficient funds for rent');
  chain.setRent(6_960n);
  chain.advanceSlots(1);
  await expect(pay(650_240)).rejects.toThrow('insufficient funds for rent');
});

it('keeps a fallen rent over a restart, and takes no rent that no cluster has', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rent-'));
  const { chain } = await start(dir);
  for (const wrong of [0n, -1n, 1_000_001n, 5_080 as unknown as bigint])
    expect(() => chain.setRent(wrong)).toThrow('a rent is a bigint from 1 to 1000000');
  chain.setRent(696n);
  await chain.stop();
  const { rpc } = await start(dir);
  expect(await rpc.getMinimumBalanceForRentExemption(165)).toBe(203_928);
});

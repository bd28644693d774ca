import { Keypair, LAMPORTS_PER_SOL, SYSVAR_CLOCK_PUBKEY, SystemProgram, Transaction } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { manualChain, rpc, web3 } from './support/start.ts';

it('confirms a transaction when the next slot opens and finalizes it 32 slots later', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const alice = Keypair.generate().publicKey;
  const levels = async () => {
    const balances: number[] = [];
    for (const level of ['processed', 'confirmed', 'finalized'] as const) {
      balances.push(await connection.getBalance(alice, level));
    }
    const { value } = await connection.getSignatureStatus(signature);
    return [
      ...balances.map((one) => one / LAMPORTS_PER_SOL),
      value?.confirmationStatus,
      value?.confirmations,
    ];
  };
  const signature = await connection.requestAirdrop(alice, LAMPORTS_PER_SOL);
  expect(await levels()).toEqual([1, 0, 0, 'processed', 0]);
  running.advanceSlots(1);
  expect(await levels()).toEqual([1, 1, 0, 'confirmed', 1]);
  running.advanceSlots(30);
  expect(await levels()).toEqual([1, 1, 0, 'confirmed', 31]);
  running.advanceSlots(1);
  expect(await levels()).toEqual([1, 1, 1, 'finalized', null]);
});

it('serves history only of the commitment asked for', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const alice = Keypair.generate().publicKey;
  const signature = await connection.requestAirdrop(alice, LAMPORTS_PER_SOL);
  expect(await connection.getTransaction(signature, { commitment: 'confirmed' })).toBeNull();
  expect(await connection.getSignaturesForAddress(alice, {}, 'confirmed')).toEqual([]);
  running.advanceSlots(1);
  expect(await connection.getTransaction(signature, { commitment: 'confirmed' })).not.toBeNull();
  expect(await connection.getSignaturesForAddress(alice, {}, 'finalized')).toEqual([]);
});

it('finds old statuses only when history is searched', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const signature = await connection.requestAirdrop(Keypair.generate().publicKey, LAMPORTS_PER_SOL);
  running.advanceSlots(400);
  expect((await connection.getSignatureStatus(signature)).value).toBeNull();
  const found = await connection.getSignatureStatus(signature, { searchTransactionHistory: true });
  expect(found.value?.confirmationStatus).toBe('finalized');
});

it('counts block heights apart from slots and says until which height a hash is good', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
  const info = await connection.getEpochInfo('confirmed');
  expect(lastValidBlockHeight).toBe(info.blockHeight! + 150);
  expect(info.blockHeight).not.toBe(info.absoluteSlot);
  const isValid = async () =>
    (await connection.isBlockhashValid(blockhash, { commitment: 'processed' })).value;
  running.advanceSlots(149);
  expect(await connection.getBlockHeight('processed')).toBe(lastValidBlockHeight);
  expect(await isValid()).toBe(true);
  running.advanceSlots(1);
  expect(await isValid()).toBe(false);
});

it('refuses a blockhash that the preflight commitment has not seen yet', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const alice = Keypair.generate();
  await connection.requestAirdrop(alice.publicKey, LAMPORTS_PER_SOL);
  running.advanceSlots(33);
  const { blockhash } = await connection.getLatestBlockhash('processed');
  const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: 1 }),
  );
  transaction.sign(alice);
  const send = (preflightCommitment: 'processed' | 'finalized') =>
    connection.sendRawTransaction(transaction.serialize(), { preflightCommitment });
  await expect(send('finalized')).rejects.toThrow('Blockhash not found');
  expect(await send('processed')).toBeTypeOf('string');
});

it('simulates against the state of the commitment asked for and puts the newest back', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const alice = Keypair.generate();
  running.advanceSlots(40);
  await connection.requestAirdrop(alice.publicKey, LAMPORTS_PER_SOL);
  const { blockhash } = await connection.getLatestBlockhash('finalized');
  const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: alice.publicKey, lamports: 1 }),
  );
  transaction.sign(alice);
  const simulate = async (commitment: string) => {
    const wire = transaction.serialize().toString('base64');
    return (await rpc(running, 'simulateTransaction', wire, { encoding: 'base64', commitment })).result.value
      .err;
  };
  expect(await simulate('finalized')).toBe('AccountNotFound');
  expect(await simulate('processed')).toBeNull();
  expect(await connection.getBalance(alice.publicKey, 'processed')).toBe(LAMPORTS_PER_SOL);
});

it('refuses a read below the context slot the caller insists on', async () => {
  const running = await manualChain();
  const answer = await rpc(running, 'getBalance', running.world.faucet, {
    commitment: 'processed',
    minContextSlot: 5000,
  });
  expect(answer.error).toMatchObject({ code: -32016, data: { contextSlot: 1000 } });
});

it('serves blocks with their transactions', async () => {
  const running = await manualChain();
  const connection = web3(running);
  const signature = await connection.requestAirdrop(Keypair.generate().publicKey, LAMPORTS_PER_SOL);
  running.advanceSlots(1);
  const block = await rpc(running, 'getBlock', 1000, {
    commitment: 'confirmed',
    transactionDetails: 'signatures',
  });
  expect(block.result).toMatchObject({ blockHeight: 600, parentSlot: 999, signatures: [signature] });
  expect((await rpc(running, 'getBlocks', 990, 1005, { commitment: 'confirmed' })).result).toEqual([1000]);
  expect((await rpc(running, 'getBlock', 2000, { commitment: 'confirmed' })).error.code).toBe(-32004);
});

it('keeps the clock sysvar at the open slot and the time it opened', async () => {
  let now = 1_800_000_000_000;
  const running = await manualChain({ clock: { now: () => now } });
  const read = async () => {
    const data = (await web3(running).getAccountInfo(SYSVAR_CLOCK_PUBKEY, 'processed'))!.data;
    return [data.readBigUInt64LE(0), data.readBigInt64LE(32)];
  };
  expect(await read()).toEqual([1000n, 1_800_000_000n]);
  now += 7_000;
  running.advanceSlots(3);
  expect(await read()).toEqual([1003n, 1_800_000_007n]);
  expect(await web3(running).getBlockTime(1003)).toBe(1_800_000_007);
});

import {
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  signature as toSignature,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect, it } from 'vitest';
import type { RunningChain } from '../src/index.ts';
import { quickChain } from './support/start.ts';

const SOL = 1_000_000_000n;

async function clients(running: RunningChain) {
  const rpc = createSolanaRpc(running.rpcUrl);
  const rpcSubscriptions = createSolanaRpcSubscriptions(running.wsUrl);
  const alice = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  return { rpc, rpcSubscriptions, alice };
}

async function waitFor(rpc: Awaited<ReturnType<typeof clients>>['rpc'], signature: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (await rpc.getSignatureStatuses([toSignature(signature)]).send()).value[0]?.confirmationStatus,
      {
        timeout: 10_000,
      },
    )
    .toMatch(/confirmed|finalized/);
}

async function transferOf(
  rpc: Awaited<ReturnType<typeof clients>>['rpc'],
  from: KeyPairSigner,
  amount: bigint,
) {
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const to = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(from, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(latest, one),
    (one) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: from, destination: to.address, amount }),
        one,
      ),
  );
  return { transaction: await signTransactionMessageWithSigners(message), to: to.address };
}

it('lets kit airdrop, send and confirm over its own subscriptions', async () => {
  const running = await quickChain();
  const { rpc, rpcSubscriptions, alice } = await clients(running);
  await waitFor(rpc, await rpc.requestAirdrop(alice.address, lamports(5n * SOL)).send());
  const { transaction, to } = await transferOf(rpc, alice, SOL);
  const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  await sendAndConfirm(transaction as never, { commitment: 'confirmed' });
  expect((await rpc.getBalance(to, { commitment: 'confirmed' }).send()).value).toBe(SOL);
  const landed = await rpc
    .getTransaction(getSignatureFromTransaction(transaction), {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
      encoding: 'json',
    })
    .send();
  expect(landed?.meta?.fee).toBe(5000n);
  expect(landed?.version).toBe(0);
});

it('streams account and log notifications to kit until it aborts', async () => {
  const running = await quickChain();
  const { rpc, rpcSubscriptions, alice } = await clients(running);
  const abort = new AbortController();
  const accounts = await rpcSubscriptions
    .accountNotifications(alice.address, { commitment: 'confirmed', encoding: 'base64' })
    .subscribe({ abortSignal: abort.signal });
  const signature = await rpc.requestAirdrop(alice.address, lamports(3n * SOL)).send();
  for await (const { value } of accounts) {
    expect(value.lamports).toBe(3n * SOL);
    break;
  }
  await waitFor(rpc, signature);
  abort.abort();
});

it('shows kit a failed preflight with the instruction that failed', async () => {
  const running = await quickChain();
  const { rpc, alice } = await clients(running);
  await waitFor(rpc, await rpc.requestAirdrop(alice.address, lamports(SOL)).send());
  const { transaction } = await transferOf(rpc, alice, 2n * SOL);
  const error: unknown = await rpc
    .sendTransaction(getBase64EncodedWireTransaction(transaction), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    })
    .send()
    .catch((caught: unknown) => caught);
  expect(String(error)).toMatch(/simulation failed/i);
  expect((error as { cause: unknown }).cause).toMatchObject({ context: { code: 1, index: 0 } });
});

it('keeps u64 values exact where JavaScript numbers end', async () => {
  const running = await quickChain();
  const { rpc } = await clients(running);
  const faucet = running.world.faucet as never;
  const { value } = await rpc.getAccountInfo(faucet, { encoding: 'base64' }).send();
  expect(value?.lamports).toBe(400_000_000n * SOL);
  const text = await (
    await fetch(running.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [faucet] }),
    })
  ).text();
  expect(text).toContain('"rentEpoch":18446744073709551615');
});

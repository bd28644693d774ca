import {
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningChain, startLocalChain } from '../src/index.ts';
import { decodeTransaction, WireError } from '../src/wire.ts';
import { web3 } from './support/start.ts';

const SOL = 1_000_000_000n;
const CONFIG = { priorityFeeLamports: 777n, computeUnitLimit: 20_000, loadedAccountsDataSizeLimit: 65_536 };

const signer = (seed: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed));

async function transfer(rpc: ReturnType<typeof createSolanaRpc>, from: KeyPairSigner, to: KeyPairSigner) {
  const { value: latest } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (one) => setTransactionMessageFeePayerSigner(from, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(latest, one),
    (one) => setTransactionMessageConfig(CONFIG, one),
    (one) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: from, destination: to.address, amount: SOL }),
        one,
      ),
  );
  return signTransactionMessageWithSigners(message);
}

describe('a transaction of version 1', () => {
  let bytes: Uint8Array;
  let signature: string;
  let running: RunningChain;
  let recipient: string;

  const call = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(running.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as {
      readonly result?: Record<string, unknown>;
      readonly error?: { readonly code: number; readonly message: string };
    };
  };

  beforeAll(async () => {
    running = await startLocalChain({ seed: 'test', wsPort: null, slotMs: 0 });
    const [alice, bob] = [await signer(1), await signer(2)];
    recipient = bob.address;
    await web3(running).requestAirdrop(new PublicKey(alice.address), 5_000_000_000);
    running.advanceSlots(1);
    const signed = await transfer(createSolanaRpc(running.rpcUrl), alice, bob);
    const wire = getBase64EncodedWireTransaction(signed);
    bytes = Uint8Array.from(Buffer.from(wire, 'base64'));
    signature = getSignatureFromTransaction(signed);
    const sent = await call('sendTransaction', [
      wire,
      { encoding: 'base64', preflightCommitment: 'processed' },
    ]);
    expect(sent).toMatchObject({ result: signature });
    running.advanceSlots(40);
    return () => running.stop();
  });

  it('lands, and pays 5,000 lamports and the fee of its config', async () => {
    expect(await web3(running).getBalance(new PublicKey(recipient))).toBe(Number(SOL));
    const { result } = await call('getTransaction', [
      signature,
      { encoding: 'json', maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
    ]);
    expect(result).toMatchObject({
      version: 1,
      meta: { err: null, fee: 5_777, loadedAddresses: { writable: [], readonly: [] } },
      transaction: {
        message: {
          transactionConfig: {
            priorityFee: 777,
            computeUnitLimit: 20_000,
            loadedAccountsDataSizeLimit: 65_536,
            heapSize: null,
          },
        },
      },
    });
  });

  it('is refused with -32015 to a caller that knows version 0, and so is the whole block', async () => {
    const known = { encoding: 'json', maxSupportedTransactionVersion: 0, commitment: 'confirmed' };
    const alone = await call('getTransaction', [signature, known]);
    expect(alone.error).toMatchObject({ code: -32_015, message: expect.stringContaining('version (1)') });
    const slot = await slotOf();
    const block = await call('getBlock', [slot, known]);
    expect(block.error?.code).toBe(-32_015);
    const readable = await call('getBlock', [slot, { ...known, maxSupportedTransactionVersion: 1 }]);
    expect(readable.result?.['transactions']).toHaveLength(1);
    const named = await call('getBlock', [
      slot,
      { transactionDetails: 'signatures', commitment: 'confirmed' },
    ]);
    expect(named.result?.['signatures']).toEqual([signature]);
  });

  it('is read by web3.js as it was made', async () => {
    const read = await web3(running).getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    });
    expect(read?.version).toBe(1);
    expect(read?.transaction.signatures).toEqual([signature]);
  });

  it('is decoded whole, and refused when anything of it is missing, doubled or undefined', () => {
    expect(decodeTransaction(bytes)).toMatchObject({
      signature,
      message: {
        version: 1,
        lookups: [],
        config: { priorityFeeLamports: 777n, units: 20_000, loadedBytes: 65_536, heapBytes: null },
      },
    });
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => decodeTransaction(bytes.subarray(0, length)), String(length)).toThrow(WireError);
    expect(() => decodeTransaction(Uint8Array.of(...bytes, 0))).toThrow(WireError);
    const with_ = (at: number, value: number): Uint8Array => {
      const changed = bytes.slice();
      changed[at] = value;
      return changed;
    };
    // The mask: a bit that nothing defines, and half of the priority fee.
    expect(() => decodeTransaction(with_(4, 0b101_111))).toThrow(/config mask/);
    expect(() => decodeTransaction(with_(4, 0b01_101))).toThrow(/config mask/);
    expect(() => decodeTransaction(with_(41, 65))).toThrow(/too many accounts/);
  });

  async function slotOf(): Promise<number> {
    const { result } = await call('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
    const [status] = (result?.['value'] ?? []) as readonly { readonly slot: number }[];
    return status?.slot ?? -1;
  }
});

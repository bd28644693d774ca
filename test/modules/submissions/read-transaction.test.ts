import {
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { isProblem, readTransaction } from '../../../src/modules/submissions/rules/read-transaction.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../../engine/intents/build.ts';

const PAYER = Keypair.generate();
const OTHER = Keypair.generate();
const BLOCKHASH = addressOf(9);
const compiler = createMessageCompiler();
/** Version 1 carries it in its head. */
const BUDGET = createPrograms().computeBudget({ units: 300_000, microLamportsPerUnit: 0n });

/** A version 0 transaction with one instruction of `data` bytes. */
function version0(data: number): Uint8Array {
  const call = new TransactionInstruction({
    programId: new PublicKey(addressOf(7)),
    keys: [],
    data: Buffer.alloc(data),
  });
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: PAYER.publicKey,
      recentBlockhash: BLOCKHASH,
      instructions: [call],
    }).compileToV0Message(),
  );
  transaction.sign([PAYER]);
  return transaction.serialize();
}

/** A version 1 transaction whose one instruction has `data` bytes, and `more` that its count names too. */
function version1(data: number, more = 0): Uint8Array {
  const payer = addressOf(200);
  const { bytes } = compiler.compile({
    payer,
    blockhash: BLOCKHASH,
    instructions: [...BUDGET, { programId: addressOf(7), accounts: [], data: new Uint8Array(data) }],
    version1: { loadedBytes: 98_304 },
  });
  const longer = new Uint8Array([...bytes, ...new Uint8Array(more)]);
  // The head of the only instruction is before its data: program, count of accounts, and two bytes of length.
  const lengthAt = bytes.length - data - 2;
  new DataView(longer.buffer).setUint16(lengthAt, data + more, true);
  return new Uint8Array([...longer, ...new Uint8Array(64).fill(5)]);
}

const sizedTo = (wanted: number, make: (data: number) => Uint8Array, near: number): Uint8Array =>
  make(near + wanted - make(near).length);

describe('the size of a transaction', () => {
  it('is 1,232 bytes at most in version 0, though all of them are read', () => {
    const most = sizedTo(1_232, version0, 900);
    expect([most.length, isProblem(readTransaction(most))]).toEqual([1_232, false]);
    const over = sizedTo(1_233, version0, 900);
    expect(over).toHaveLength(1_233);
    expect(readTransaction(over)).toEqual({
      code: 'TRANSACTION_INVALID',
      reason: 'it has 1233 bytes; expected at most 1232',
    });
  });

  it('is 4,096 bytes at most in version 1', () => {
    const most = sizedTo(4_096, version1, 3_000);
    expect([most.length, isProblem(readTransaction(most))]).toEqual([4_096, false]);
    const data = 3_000 + 4_096 - version1(3_000).length;
    expect(readTransaction(version1(data, 1))).toEqual({
      code: 'TRANSACTION_INVALID',
      reason: 'it has 4097 bytes; expected at most 4096',
    });
    // One byte more is its fault, and not the way it was put in.
    expect(isProblem(readTransaction(version1(data - 1, 1)))).toBe(false);
  });
});

it('a transaction that lists an account twice is refused', () => {
  const twice = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    staticAccountKeys: [PAYER.publicKey, OTHER.publicKey, OTHER.publicKey, SystemProgram.programId],
    recentBlockhash: BLOCKHASH,
    compiledInstructions: [{ programIdIndex: 3, accountKeyIndexes: [0, 1], data: new Uint8Array(12) }],
    addressTableLookups: [],
  });
  const transaction = new VersionedTransaction(twice);
  transaction.sign([PAYER]);
  expect(readTransaction(transaction.serialize())).toEqual({
    code: 'TRANSACTION_INVALID',
    reason: 'message cannot be decoded: an account is listed twice',
  });
});

it('each signer but the first must have signed too, and is named where it has not', () => {
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: PAYER.publicKey,
      recentBlockhash: BLOCKHASH,
      instructions: [
        SystemProgram.transfer({ fromPubkey: OTHER.publicKey, toPubkey: PAYER.publicKey, lamports: 1 }),
      ],
    }).compileToV0Message(),
  );
  transaction.sign([PAYER]);
  expect(readTransaction(transaction.serialize())).toEqual({
    code: 'SIGNATURE_MISSING',
    signer: OTHER.publicKey.toBase58(),
  });
});

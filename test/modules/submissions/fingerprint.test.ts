import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/modules/submissions/rules/fingerprint.ts';

const key = (): PublicKey => Keypair.generate().publicKey;
const [payer, to, program, pool, vault] = [key(), key(), key(), key(), key()];
const table = new AddressLookupTableAccount({
  key: key(),
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [key(), pool, vault],
  },
});
const meta = (pubkey: PublicKey, isWritable = true) => ({ pubkey, isSigner: false, isWritable });
const swap = (data = [1, 2], keys = [meta(pool), meta(vault)]) =>
  new TransactionInstruction({ programId: program, keys, data: Buffer.from(data) });
const pay = (lamports = 5) => SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports });
const foreign = (programId: string, keys = [meta(vault, false)]) =>
  new TransactionInstruction({ programId: new PublicKey(programId), keys, data: Buffer.from([9]) });
const messageOf = (
  instructions: readonly TransactionInstruction[],
  { by = payer, blockhash = key().toBase58(), tables = [table] } = {},
): Uint8Array =>
  new TransactionMessage({ payerKey: by, recentBlockhash: blockhash, instructions: [...instructions] })
    .compileToV0Message(tables)
    .serialize();
const built = fingerprintOf(messageOf([pay(), swap()]));

describe('a fingerprint', () => {
  it.each([
    ['another blockhash', [pay(), swap()]],
    ['a budget', [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7 }), pay(), swap()]],
    ['a memo', [pay(), foreign(MEMO_PROGRAM, []), swap()]],
    ['an old memo', [foreign(MEMO_V1_PROGRAM, []), pay(), swap()]],
    [
      'a guard of Lighthouse before and behind',
      [foreign(LIGHTHOUSE_PROGRAM), pay(), swap(), foreign(LIGHTHOUSE_PROGRAM)],
    ],
  ])('is the same with %s', (_, instructions) => {
    expect(fingerprintOf(messageOf(instructions))).toBe(built);
  });

  it.each([
    ['a transfer slipped in', messageOf([pay(), swap(), pay(1)])],
    ['an instruction left out', messageOf([swap()])],
    ['another order', messageOf([swap(), pay()])],
    ['another amount', messageOf([pay(6), swap()])],
    ['other data', messageOf([pay(), swap([1, 3])])],
    ['accounts in another order', messageOf([pay(), swap([1, 2], [meta(vault), meta(pool)])])],
    ['an account that is read only', messageOf([pay(), swap([1, 2], [meta(pool), meta(vault, false)])])],
    ['another payer', messageOf([pay(), swap()], { by: key() })],
    [
      'another table',
      messageOf([pay(), swap()], {
        tables: [new AddressLookupTableAccount({ key: key(), state: table.state })],
      }),
    ],
    ['an unknown program', messageOf([pay(), swap(), foreign(key().toBase58())])],
    ['nothing but what wallets add', messageOf([foreign(MEMO_PROGRAM, [])])],
  ])('is another one with %s', (_, message) => {
    expect(fingerprintOf(message)).not.toBe(built);
  });
});

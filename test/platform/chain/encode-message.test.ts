import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import { type Address, addressFromBytes, type Instruction } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import { encodeMessage } from '../../../src/platform/chain/encode-message.ts';

const KEYS = Array.from({ length: 40 }, (_, n) => addressFromBytes(new Uint8Array(32).fill(n + 1)));
const BLOCKHASH = addressFromBytes(new Uint8Array(32).fill(0xee));

const keyOf = (n: number): Address => KEYS[n % KEYS.length] as Address;
const key = fc.nat(KEYS.length - 1).map(keyOf);
const instruction: fc.Arbitrary<Instruction> = fc.record({
  programId: key,
  accounts: fc.array(fc.record({ address: key, signer: fc.boolean(), writable: fc.boolean() }), {
    maxLength: 14,
  }),
  data: fc.uint8Array({ maxLength: 40 }),
});
const table: fc.Arbitrary<LookupTable> = fc.record({
  address: fc.integer({ min: 100, max: 250 }).map((n) => addressFromBytes(new Uint8Array(32).fill(n))),
  entries: fc.uniqueArray(key, { maxLength: 20 }),
});

/** What web3.js makes of the same, without its packet-sized buffer for what a packet cannot hold. */
function reference(
  payer: Address,
  instructions: readonly Instruction[],
  tables: readonly LookupTable[],
): Uint8Array | null {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: BLOCKHASH,
    instructions: instructions.map(
      ({ programId, accounts, data }) =>
        new TransactionInstruction({
          programId: new PublicKey(programId),
          keys: accounts.map(({ address, signer, writable }) => ({
            pubkey: new PublicKey(address),
            isSigner: signer,
            isWritable: writable,
          })),
          data: Buffer.from(data),
        }),
    ),
  }).compileToV0Message(
    tables.map(
      ({ address, entries }) =>
        new AddressLookupTableAccount({
          key: new PublicKey(address),
          state: {
            deactivationSlot: 0xffff_ffff_ffff_ffffn,
            lastExtendedSlot: 0,
            lastExtendedSlotStartIndex: 0,
            addresses: entries.map((one) => new PublicKey(one)),
          },
        }),
    ),
  );
  try {
    return message.serialize();
  } catch {
    return null;
  }
}

describe('encodeMessage', () => {
  it('writes the bytes that web3.js writes, with and without lookup tables', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        key,
        fc.array(instruction, { maxLength: 6 }),
        fc.uniqueArray(table, { maxLength: 3, selector: ({ address }) => address }),
        (payer, instructions, lookupTables) => {
          const expected = reference(payer, instructions, lookupTables);
          const { bytes } = encodeMessage({ payer, instructions, blockhash: BLOCKHASH, lookupTables });
          if (expected === null) return;
          compared += 1;
          expect(Buffer.from(bytes)).toEqual(Buffer.from(expected));
        },
      ),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it('tells who signs, what may be written and how many accounts are locked, looked-up ones included', () => {
    const [payer, program, signer, written, read] = KEYS as [Address, Address, Address, Address, Address];
    const encoded = encodeMessage({
      payer,
      blockhash: BLOCKHASH,
      instructions: [
        {
          programId: program,
          accounts: [
            { address: read, signer: false, writable: false },
            { address: written, signer: false, writable: true },
            { address: signer, signer: true, writable: false },
          ],
          data: new Uint8Array(200),
        },
      ],
      lookupTables: [{ address: keyOf(39), entries: [program, signer, read, written] }],
    });
    expect(encoded).toMatchObject({ signers: [payer, signer], writable: [payer, written], locks: 5 });
    // Version, header; signers and programs are named in the message itself, the other two only by the table's indexes.
    expect([...encoded.bytes.subarray(0, 5)]).toEqual([0x80, 2, 1, 1, 3]);
    expect([...encoded.bytes.subarray(-4)]).toEqual([1, 3, 1, 2]);
  });

  it('refuses more accounts than an index can count, and a blockhash that is none', () => {
    const many = Array.from({ length: 257 }, (_, n) => ({
      address: addressFromBytes(
        Uint8Array.from({ length: 32 }, (__, i) => (i < 2 ? (n >> (8 * i)) & 0xff : 7)),
      ),
      signer: false,
      writable: false,
    }));
    const instructions = [{ programId: keyOf(1), accounts: many, data: new Uint8Array() }];
    const input = { payer: keyOf(0), blockhash: BLOCKHASH, instructions, lookupTables: [] };
    expect(() => encodeMessage(input)).toThrow(/at most 256 accounts/);
    expect(() => encodeMessage({ ...input, instructions: [], blockhash: 'short' })).toThrow(
      /base58 of 32 bytes/,
    );
  });
});

import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  type MessageV0,
  PublicKey,
  VersionedMessage,
} from '@solana/web3.js';
import {
  type Address,
  addressBytes,
  type Instruction,
  LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import { decodeMessage, UndecodableMessageError } from '../../../src/engine/signing/rules/decode-message.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { addressOf } from '../intents/build.ts';

const TABLE = addressOf(200);
const ENTRIES = [1, 2, 3, 4, 5].map((n) => addressOf(100 + n));
const NEVER = 0xffff_ffff_ffff_ffffn;

function account(fields: {
  extended?: bigint;
  start?: number;
  closing?: bigint;
  owner?: Address;
  tag?: number;
}) {
  const data = new Uint8Array(56 + ENTRIES.length * 32);
  const view = new DataView(data.buffer);
  view.setUint32(0, fields.tag ?? 1, true);
  view.setBigUint64(4, fields.closing ?? NEVER, true);
  view.setBigUint64(12, fields.extended ?? 10n, true);
  view.setUint8(20, fields.start ?? 2);
  for (const [index, entry] of ENTRIES.entries()) data.set(addressBytes(entry), 56 + index * 32);
  return { lamports: 1n, owner: fields.owner ?? LOOKUP_TABLE_PROGRAM, data, executable: false };
}

describe('readLookupTable', () => {
  it('reads what the vendor’s reader reads', () => {
    expect(LOOKUP_TABLE_PROGRAM).toBe(AddressLookupTableProgram.programId.toBase58());
    const state = AddressLookupTableAccount.deserialize(account({}).data);
    expect(readLookupTable(TABLE, account({}), 11n)?.entries).toEqual(state.addresses.map(String));
  });

  it('leaves off what was appended in the slot itself, and reads a table being closed or foreign as none', () => {
    expect(readLookupTable(TABLE, account({}), 10n)?.entries).toEqual(ENTRIES.slice(0, 2));
    expect(readLookupTable(TABLE, account({ closing: 9n }), 11n)).toBeNull();
    expect(readLookupTable(TABLE, account({ owner: SYSTEM_PROGRAM }), 11n)).toBeNull();
    expect(readLookupTable(TABLE, account({ tag: 0 }), 11n)).toBeNull();
    expect(
      readLookupTable(TABLE, { ...account({}), data: account({}).data.subarray(0, 70) }, 11n),
    ).toBeNull();
  });
});

describe('a message that uses a table', () => {
  const compiler = createMessageCompiler();
  const table = { address: TABLE, entries: ENTRIES };
  const payer = addressOf(1);
  const someInstruction: fc.Arbitrary<Instruction> = fc.record({
    programId: fc.constantFrom(addressOf(50), addressOf(51), ENTRIES[0] ?? payer),
    accounts: fc.array(
      fc.record({
        address: fc.constantFrom(payer, addressOf(2), ...ENTRIES),
        signer: fc.constant(false),
        writable: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    data: fc.uint8Array({ maxLength: 20 }),
  });

  it('is read back with every account and right, as the vendor reads it', () => {
    fc.assert(
      fc.property(fc.array(someInstruction, { minLength: 1, maxLength: 3 }), (instructions) => {
        const compiled = compiler.compile({
          payer,
          instructions,
          blockhash: addressOf(9),
          lookupTables: [table],
        });
        const decoded = decodeMessage(compiled.bytes, [table]);
        const vendor = VersionedMessage.deserialize(compiled.bytes) as MessageV0;
        const keys = vendor.getAccountKeys({
          addressLookupTableAccounts: [
            new AddressLookupTableAccount({
              key: new PublicKey(TABLE),
              state: AddressLookupTableAccount.deserialize(account({}).data),
            }),
          ],
        });
        expect(decoded.instructions.map(({ accounts }) => accounts)).toEqual(
          vendor.compiledInstructions.map(({ accountKeyIndexes }) =>
            accountKeyIndexes.map((index) => ({
              address: String(keys.get(index)),
              signer: vendor.isAccountSigner(index),
              writable: vendor.isAccountWritable(index),
            })),
          ),
        );
        expect(decoded.instructions.map(({ programId, data }) => ({ programId, data }))).toEqual(
          instructions.map(({ programId, data }) => ({ programId, data })),
        );
        const written = instructions.flatMap(({ accounts }) => accounts.filter((meta) => meta.writable));
        for (const { address } of written) expect(compiled.writable).toContain(address);
      }),
    );
  });

  it('is refused with a table that is not known or too short', () => {
    const { bytes } = compiler.compile({
      payer,
      blockhash: addressOf(9),
      lookupTables: [table],
      instructions: [
        {
          programId: addressOf(50),
          accounts: ENTRIES.map((address) => ({ address, signer: false, writable: false })),
          data: new Uint8Array(),
        },
      ],
    });
    expect(() => decodeMessage(bytes)).toThrow(UndecodableMessageError);
    expect(() => decodeMessage(bytes, [{ ...table, entries: ENTRIES.slice(0, 4) }])).toThrow(
      /beyond its table/,
    );
  });
});

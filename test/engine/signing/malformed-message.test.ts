import { addressBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  decodeUnresolved,
  lookupTablesOf,
  UndecodableMessageError,
} from '../../../src/engine/signing/rules/decode-message.ts';
import { messageOf } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { addressOf } from '../intents/build.ts';

const [PAYER, COSIGNER, READ, WRITTEN, PROGRAM, HASH, TABLE, OTHER_TABLE] = [1, 2, 3, 4, 5, 9, 20, 21].map(
  addressOf,
);
const key = (address: ReturnType<typeof addressOf> | undefined): readonly number[] =>
  address === undefined ? [] : [...addressBytes(address)];

type Parts = {
  readonly prefix?: readonly number[];
  readonly header?: readonly [number, number, number];
  readonly accounts?: readonly (ReturnType<typeof addressOf> | undefined)[];
  readonly instructions?: readonly number[];
  readonly lookups?: readonly number[];
};

/** A message written out by hand, byte by byte: two signers, one writable account, one program, one instruction. */
const write = ({
  prefix = [0x80],
  header = [2, 1, 1],
  accounts = [PAYER, COSIGNER, WRITTEN, PROGRAM],
  instructions = [1, 3, 2, 0, 2, 1, 7],
  lookups = [0],
}: Parts = {}): Uint8Array =>
  Uint8Array.from([
    ...prefix,
    ...header,
    accounts.length,
    ...accounts.flatMap(key),
    ...key(HASH),
    ...instructions,
    ...lookups,
  ]);
const legacy = (parts: Parts = {}) => write({ prefix: [], lookups: [], ...parts });

const NOT_SHORTEST = 'a length is not in its shortest form';
const TOO_LARGE = 'a length is too large';
const TOO_EARLY = 'it ends too early';
const HEADER = 'its header does not fit its accounts';
const BEYOND = 'an instruction names an account beyond the list';

describe('a message', () => {
  it('is read with the rights that its header gives: written and read signers, written and read others', () => {
    const read = decodeMessage(
      write({
        header: [2, 1, 2],
        accounts: [PAYER, COSIGNER, WRITTEN, READ, PROGRAM],
        instructions: [1, 4, 4, 0, 1, 2, 3, 2, 7, 8],
      }),
    );
    expect(read).toEqual({
      version: 0,
      config: null,
      signers: [PAYER, COSIGNER],
      blockhash: HASH,
      instructions: [
        {
          programId: PROGRAM,
          accounts: [
            { address: PAYER, signer: true, writable: true },
            { address: COSIGNER, signer: true, writable: false },
            { address: WRITTEN, signer: false, writable: true },
            { address: READ, signer: false, writable: false },
          ],
          data: Uint8Array.of(7, 8),
        },
      ],
    });
    expect(decodeMessage(legacy())).toEqual({ ...decodeMessage(write()), version: 'legacy' });
  });

  it('may have every account read only but the payer', () => {
    const [one] = decodeMessage(write({ header: [1, 0, 3] })).instructions;
    expect(one?.accounts.map(({ writable }) => writable)).toEqual([true, false]);
  });

  it('may be signed by every account that it lists', () => {
    const bytes = write({ header: [2, 0, 0], accounts: [PAYER, PROGRAM], instructions: [1, 1, 0, 0] });
    expect(decodeMessage(bytes)).toMatchObject({
      signers: [PAYER, PROGRAM],
      instructions: [{ programId: PROGRAM }],
    });
  });

  it('takes from its tables the written accounts of all of them first, then the read ones', () => {
    const entries = (start: number) =>
      Array.from({ length: 256 }, (_, index) => addressOf(start + (index % 8)));
    const tables = [
      { address: OTHER_TABLE!, entries: entries(60) },
      { address: TABLE!, entries: entries(40) },
    ];
    const bytes = write({
      instructions: [1, 3, 4, 4, 5, 6, 7, 0],
      lookups: [2, ...key(TABLE), 1, 1, 1, 2, ...key(OTHER_TABLE), 1, 3, 1, 4],
    });
    expect(lookupTablesOf(bytes)).toEqual([TABLE, OTHER_TABLE]);
    expect(lookupTablesOf(write())).toEqual([]);
    expect(decodeMessage(bytes, tables).instructions[0]?.accounts).toEqual([
      { address: addressOf(41), signer: false, writable: true },
      { address: addressOf(63), signer: false, writable: true },
      { address: addressOf(42), signer: false, writable: false },
      { address: addressOf(64), signer: false, writable: false },
    ]);
    const unresolved = decodeUnresolved(bytes);
    expect(unresolved.instructions[0]?.accounts.map(({ signer, writable }) => [signer, writable])).toEqual([
      [false, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
    expect(unresolved.lookedUp.size).toBe(4);
  });

  it('has lengths of more than one byte where there is more', () => {
    const data = Array.from({ length: 300 }, (_, index) => index % 256);
    // 300 = 0x12c: the lower seven bits, and the rest.
    const [one] = decodeMessage(write({ instructions: [1, 3, 0, 0xac, 0x02, ...data] })).instructions;
    expect(one?.data).toEqual(Uint8Array.from(data));
    const most = decodeMessage(
      write({ instructions: [1, 3, 0, 0xff, 0xff, 0x03, ...new Uint8Array(0xffff)] }),
    );
    expect(most.instructions[0]?.data).toHaveLength(0xffff);
  });

  it('keeps its instructions’ data when the buffer that it was read from is written over', () => {
    const bytes = write();
    const { instructions } = decodeMessage(bytes);
    bytes.fill(0);
    expect(instructions[0]?.data).toEqual(Uint8Array.of(7));
  });

  it('stands behind the signatures of its transaction', () => {
    const message = write();
    expect(messageOf(Uint8Array.of(2, ...new Uint8Array(128).fill(3), ...message))).toEqual(message);
    expect(messageOf(new Uint8Array())).toEqual(new Uint8Array());
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), TOO_EARLY],
    ['a version that is not known', write({ prefix: [0x82] }), 'its version is unknown'],
    ['no signer', write({ header: [0, 0, 1] }), HEADER],
    ['more signers than accounts', write({ header: [5, 1, 0] }), HEADER],
    ['a payer who is read only', write({ header: [2, 2, 1] }), HEADER],
    ['more read signers than signers', write({ header: [1, 2, 0] }), HEADER],
    ['more read accounts than there are', write({ header: [2, 1, 3] }), HEADER],
    ['a length with a zero behind it', write({ instructions: [0x81, 0, 3, 0, 0] }), NOT_SHORTEST],
    ['a length beyond two bytes', write({ instructions: [0x80, 0x80, 0x04] }), TOO_LARGE],
    ['a length without an end', write({ instructions: [0x80, 0x80, 0x80, 1] }), TOO_LARGE],
    ['a length of four bytes', write({ instructions: [0x80, 0x80, 0x80, 0] }), TOO_LARGE],
    ['a length cut off', write({ instructions: [0x81], lookups: [] }), TOO_EARLY],
    ['a byte behind it', write({ lookups: [0, 0] }), 'bytes follow its end'],
    ['a lookup in a legacy message', legacy({ lookups: [0] }), 'bytes follow its end'],
    [
      'an account twice',
      write({ accounts: [PAYER, COSIGNER, PAYER, PROGRAM] }),
      'an account is listed twice',
    ],
    [
      'a program beyond its list',
      write({ instructions: [1, 4, 0, 0] }),
      'an instruction names no listed program',
    ],
    ['an account beyond its list', write({ instructions: [1, 3, 1, 4, 0] }), BEYOND],
    [
      'a table that is not known',
      write({ lookups: [1, ...key(OTHER_TABLE), 1, 0, 0] }),
      'it uses an address lookup table that is not known',
    ],
    [
      'a table that is not known, and nothing taken from it',
      write({ lookups: [1, ...key(OTHER_TABLE), 0, 0] }),
      'it uses an address lookup table that is not known',
    ],
    [
      'an account beyond its table',
      write({ lookups: [1, ...key(TABLE), 0, 1, 1] }),
      'it looks up an account beyond its table',
    ],
    [
      'a program out of a table',
      write({ instructions: [1, 4, 0, 0], lookups: [1, ...key(TABLE), 0, 1, 0] }),
      'an instruction names no listed program',
    ],
    [
      'an account of its own once more out of a table',
      write({ accounts: [PAYER, COSIGNER, READ, PROGRAM], lookups: [1, ...key(TABLE), 1, 0, 0] }),
      'an account is listed twice',
    ],
  ])('is refused with %s, and told why', (_what, bytes, problem) => {
    const tables = [{ address: TABLE!, entries: [READ!] }];
    const refused = (): unknown => decodeMessage(bytes, tables);
    expect(refused).toThrow(UndecodableMessageError);
    expect(refused).toThrow(expect.objectContaining({ name: 'UndecodableMessageError' }));
    expect(refused).toThrow(`message cannot be decoded: ${problem}`);
  });

  it('is refused wherever it is cut off', () => {
    for (const bytes of [write(), legacy()]) {
      for (let length = 0; length < bytes.length; length++) {
        expect(() => decodeMessage(bytes.subarray(0, length))).toThrow(TOO_EARLY);
      }
    }
  });
});

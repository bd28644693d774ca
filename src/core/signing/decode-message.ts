import { type Address, addressFromBytes } from '../address/address.ts';
import type { AccountMeta, Instruction } from '../instruction.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';

/** A transaction message as the signing policy reads it: every account with the rights the message itself gives it. */
export type DecodedMessage = {
  readonly version: 'legacy' | 0;
  /** Required signers in order; the first pays the fee. */
  readonly signers: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
};

/** Bytes that are not exactly one message this decoder understands. The text says what was wrong, never any content. */
export class UndecodableMessageError extends Error {
  constructor(problem: string) {
    super(`message cannot be decoded: ${problem}`);
    this.name = 'UndecodableMessageError';
  }
}

/**
 * Decodes a legacy or version-0 message, all of it: trailing bytes, lengths in more than their shortest form, unknown
 * versions and indexes out of range are refused, because what the signer does not read another reader might. So is an
 * address lookup table that is not among `tables`, and an index beyond its entries: the account would be invisible here, and
 * a rule could be evaded through it. Whoever passes tables has read them from the chain. A program is never looked up.
 * Source of truth: solana-sdk `message::legacy::Message` and `message::v0::Message`.
 */
export function decodeMessage(bytes: Uint8Array, tables: readonly LookupTable[] = []): DecodedMessage {
  const parsed = parseMessage(bytes);
  const { version, signers, blockhash } = parsed;
  return {
    version,
    signers,
    blockhash,
    instructions: instructionsOf(parsed, resolve(parsed.lookups, tables)),
  };
}

function instructionsOf(
  { accounts, raw }: ReturnType<typeof parseMessage>,
  looked: readonly AccountMeta[],
): readonly Instruction[] {
  const all = [...accounts, ...looked];
  if (new Set(all.map(({ address }) => address)).size !== all.length) {
    throw new UndecodableMessageError('an account is listed twice');
  }
  return raw.map(({ program, indexes, data }): Instruction => {
    const programId = accounts[program]?.address;
    if (programId === undefined) throw new UndecodableMessageError('an instruction names no listed program');
    return {
      programId,
      accounts: indexes.map((index) => {
        const found = all[index];
        if (found === undefined)
          throw new UndecodableMessageError('an instruction names an account beyond the list');
        return found;
      }),
      data,
    };
  });
}

/** A message read without its tables. */
export type UnresolvedMessage = Pick<DecodedMessage, 'signers' | 'instructions'> & {
  /** What stands in the instructions for accounts that only a table knows; nothing's address. */
  readonly lookedUp: ReadonlySet<Address>;
};

/**
 * What a message says by itself: signers, programs and data, with a stand-in for each account that it looks up. For reading
 * what was signed long ago, when its tables may be gone; never for judging what is about to be. Refuses as `decodeMessage`.
 */
export function decodeUnresolved(bytes: Uint8Array): UnresolvedMessage {
  const parsed = parseMessage(bytes);
  let serial = 0;
  const standIns = (indexes: Uint8Array, writable: boolean): readonly AccountMeta[] =>
    [...indexes].map(() => {
      const stands = new Uint8Array(32).fill(0xff);
      new DataView(stands.buffer).setUint16(0, serial);
      serial += 1;
      return { address: addressFromBytes(stands), signer: false, writable };
    });
  const looked = [
    ...parsed.lookups.flatMap(({ writable }) => standIns(writable, true)),
    ...parsed.lookups.flatMap(({ readonly }) => standIns(readonly, false)),
  ];
  return {
    signers: parsed.signers,
    instructions: instructionsOf(parsed, looked),
    lookedUp: new Set(looked.map(({ address }) => address)),
  };
}

/** The message of a transaction as it goes over the wire: what stands behind the signatures and the byte that counts them. */
export function messageOf(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1 + 64 * (transaction[0] ?? 0));
}

/** The lookup tables that a message names, for reading them from the chain before it is decoded. Refuses as `decodeMessage`. */
export function lookupTablesOf(bytes: Uint8Array): readonly Address[] {
  return parseMessage(bytes).lookups.map(({ table }) => table);
}

type Lookup = { readonly table: Address; readonly writable: Uint8Array; readonly readonly: Uint8Array };

/** Reads the bytes of a message from the first to the last. */
function bytesOf(bytes: Uint8Array) {
  let offset = 0;
  const take = (length: number): Uint8Array => {
    if (offset + length > bytes.length) throw new UndecodableMessageError('it ends too early');
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  const u8 = (): number => take(1)[0] ?? 0;
  const shortVec = (): number => {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const byte = u8();
      if (index > 0 && byte === 0) throw new UndecodableMessageError('a length is not in its shortest form');
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) === 0) {
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new UndecodableMessageError('a length is too large');
  };
  return { take, u8, shortVec, left: () => bytes.length - offset };
}

/** The message as it stands, before anything is looked up. */
function parseMessage(bytes: Uint8Array) {
  const { take, u8, shortVec, left } = bytesOf(bytes);
  const first = u8();
  const versioned = (first & 0x80) !== 0;
  if (versioned && (first & 0x7f) !== 0) throw new UndecodableMessageError('its version is unknown');
  const signerCount = versioned ? u8() : first;
  const readonlySigners = u8();
  const readonlyOthers = u8();

  const accounts = Array.from({ length: shortVec() }, () => addressFromBytes(take(32)));
  if (signerCount === 0 || signerCount > accounts.length || readonlySigners >= signerCount) {
    throw new UndecodableMessageError('its header does not fit its accounts');
  }
  if (readonlyOthers > accounts.length - signerCount) {
    throw new UndecodableMessageError('its header does not fit its accounts');
  }
  const blockhash = addressFromBytes(take(32));

  const isWritable = (index: number): boolean =>
    index < signerCount ? index < signerCount - readonlySigners : index < accounts.length - readonlyOthers;
  const raw = Array.from({ length: shortVec() }, () => ({
    program: u8(),
    indexes: [...take(shortVec())],
    data: take(shortVec()).slice(),
  }));
  const lookups = !versioned
    ? []
    : Array.from({ length: shortVec() }, (): Lookup => {
        const table = addressFromBytes(take(32));
        const writable = take(shortVec());
        return { table, writable, readonly: take(shortVec()) };
      });
  if (left() > 0) throw new UndecodableMessageError('bytes follow its end');
  return {
    version: versioned ? (0 as const) : ('legacy' as const),
    signers: accounts.slice(0, signerCount),
    blockhash,
    accounts: accounts.map((address, index) => ({
      address,
      signer: index < signerCount,
      writable: isWritable(index),
    })),
    raw,
    lookups,
  };
}

/** The accounts that the message takes from tables: all writable ones first, in the order of the tables, as the chain does. */
function resolve(lookups: readonly Lookup[], tables: readonly LookupTable[]): readonly AccountMeta[] {
  const found = (side: 'writable' | 'readonly'): readonly AccountMeta[] =>
    lookups.flatMap(({ table: key, ...indexes }) => {
      const table = tables.find(({ address }) => address === key);
      if (table === undefined) {
        throw new UndecodableMessageError('it uses an address lookup table that is not known');
      }
      return [...indexes[side]].map((index) => {
        const address = table.entries[index];
        if (address === undefined) {
          throw new UndecodableMessageError('it looks up an account beyond its table');
        }
        return { address, signer: false, writable: side === 'writable' };
      });
    });
  return [...found('writable'), ...found('readonly')];
}

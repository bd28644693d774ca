import { type AccountMeta, type Address, addressFromBytes, type Instruction } from '@tradepost/solana';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';

/** A transaction message as the signing policy reads it: every account with the rights the message itself gives it. */
export type DecodedMessage = {
  readonly version: 'legacy' | 0 | 1;
  /** Required signers in order; the first pays the fee. */
  readonly signers: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  /** Of version 1, where instructions of the compute budget do nothing; null before. */
  readonly config: MessageConfig | null;
};

/** The requests of a version 1 message to the runtime; null = not said. */
export type MessageConfig = {
  /** Lamports in all, however many units are used. */
  readonly priorityFeeLamports: bigint | null;
  readonly units: number | null;
  readonly loadedBytes: number | null;
  readonly heapBytes: number | null;
};

/** Bytes that are not exactly one message this decoder understands. The text names the fault, never any content. */
export class UndecodableMessageError extends Error {
  constructor(problem: string) {
    super(`message cannot be decoded: ${problem}`);
    this.name = 'UndecodableMessageError';
  }
}

/**
 * Decodes a message of version 0 or 1, or a legacy one, all of it: it refuses trailing bytes, lengths in more than their shortest form,
 * unknown versions and indexes out of range. Another reader might read the bytes that the signer skips. It also refuses an address lookup
 * table that is not among `tables`, and an index beyond its entries: the account would be invisible here, and a rule could be evaded
 * through it. A caller that passes tables has read them from the chain. A program is never looked up. Source of truth: solana-sdk
 * `message::legacy::Message`, `message::v0::Message`, and SIMD-0385 for version 1.
 */
export function decodeMessage(bytes: Uint8Array, tables: readonly LookupTable[] = []): DecodedMessage {
  const parsed = parseMessage(bytes);
  const { version, signers, blockhash, config } = parsed;
  return {
    version,
    signers,
    blockhash,
    config,
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
export type UnresolvedMessage = Pick<DecodedMessage, 'signers' | 'instructions' | 'blockhash'> & {
  /**
   * The stand-in in the instructions of each account that only a table knows, with its table and place there. A stand-in is no real
   * address.
   */
  readonly lookedUp: ReadonlyMap<Address, string>;
};

/**
 * The content of a message by itself: signers, programs and data, with a stand-in for each account that it looks up. For reading old signed
 * messages, whose tables may be gone; never for judging one before its signature. Refuses as `decodeMessage`.
 */
export function decodeUnresolved(bytes: Uint8Array): UnresolvedMessage {
  const parsed = parseMessage(bytes);
  const lookedUp = new Map<Address, string>();
  const standIns = (table: Address, indexes: Uint8Array, writable: boolean): readonly AccountMeta[] =>
    [...indexes].map((index) => {
      const stands = new Uint8Array(32).fill(0xff);
      new DataView(stands.buffer).setUint16(0, lookedUp.size);
      const address = addressFromBytes(stands);
      lookedUp.set(address, `${table}[${index}]`);
      return { address, signer: false, writable };
    });
  const looked = [
    ...parsed.lookups.flatMap(({ table, writable }) => standIns(table, writable, true)),
    ...parsed.lookups.flatMap(({ table, readonly }) => standIns(table, readonly, false)),
  ];
  return {
    signers: parsed.signers,
    blockhash: parsed.blockhash,
    instructions: instructionsOf(parsed, looked),
    lookedUp,
  };
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
  /** Little-endian, of at most four bytes. */
  const number = (length: number): number =>
    take(length).reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
  return { take, u8, shortVec, number, left: () => bytes.length - offset };
}

/** The message alone, before anything is looked up. */
function parseMessage(bytes: Uint8Array): ParsedMessage {
  return bytes[0] === V1_PREFIX ? parseV1(bytes) : parseOlder(bytes);
}

type ParsedMessage = {
  readonly version: DecodedMessage['version'];
  readonly signers: readonly Address[];
  readonly blockhash: string;
  readonly accounts: readonly AccountMeta[];
  readonly raw: readonly {
    readonly program: number;
    readonly indexes: readonly number[];
    readonly data: Uint8Array;
  }[];
  readonly lookups: readonly Lookup[];
  readonly config: MessageConfig | null;
};

const V1_PREFIX = 0x81;
const V1_MOST = { bytes: 4_096, accounts: 64, signatures: 12 } as const;
/** Of the config mask. The fee takes two bits, both or none. */
const MASK = { fee: 0b11, units: 0b100, loadedBytes: 0b1000, heap: 0b1_0000 } as const;

/** SIMD-0385: header, mask, blockhash, counts, addresses, config values, heads of instructions, then their accounts and data. */
function parseV1(bytes: Uint8Array): ParsedMessage {
  const { take, u8, number, left } = bytesOf(bytes);
  u8();
  const counts = { signers: u8(), readonlySigners: u8(), readonlyOthers: u8() };
  if (counts.signers > V1_MOST.signatures || bytes.length + 64 * counts.signers > V1_MOST.bytes)
    throw new UndecodableMessageError('it is larger than its version allows');
  const mask = number(4);
  const fee = mask & MASK.fee;
  if (mask >= 0b10_0000 || (fee !== 0 && fee !== MASK.fee))
    throw new UndecodableMessageError('its config mask is unknown');
  const blockhash = addressFromBytes(take(32));
  const instructions = u8();
  const keys = u8();
  if (keys > V1_MOST.accounts) throw new UndecodableMessageError('it lists too many accounts');
  const addresses = Array.from({ length: keys }, () => addressFromBytes(take(32)));
  const config: MessageConfig = {
    priorityFeeLamports: fee === 0 ? null : u64(take(8)),
    units: (mask & MASK.units) === 0 ? null : number(4),
    loadedBytes: (mask & MASK.loadedBytes) === 0 ? null : number(4),
    heapBytes: (mask & MASK.heap) === 0 ? null : number(4),
  };
  const heads = Array.from({ length: instructions }, () => ({
    program: u8(),
    accounts: u8(),
    data: number(2),
  }));
  const raw = heads.map(({ program, accounts, data }) => ({
    program,
    indexes: [...take(accounts)],
    data: take(data).slice(),
  }));
  if (left() > 0) throw new UndecodableMessageError('bytes follow its end');
  return { version: 1, ...withRights(addresses, counts), blockhash, raw, lookups: [], config };
}

const u64 = (bytes: Uint8Array): bigint =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true);

/** The accounts with the rights that the header gives them. */
function withRights(
  addresses: readonly Address[],
  header: { readonly signers: number; readonly readonlySigners: number; readonly readonlyOthers: number },
): Pick<ParsedMessage, 'signers' | 'accounts'> {
  const { signers, readonlySigners, readonlyOthers } = header;
  const fits = signers > 0 && signers <= addresses.length && readonlySigners < signers;
  if (!fits || readonlyOthers > addresses.length - signers)
    throw new UndecodableMessageError('its header does not fit its accounts');
  return {
    signers: addresses.slice(0, signers),
    accounts: addresses.map((address, index) => ({
      address,
      signer: index < signers,
      writable:
        index < signers ? index < signers - readonlySigners : index < addresses.length - readonlyOthers,
    })),
  };
}

function parseOlder(bytes: Uint8Array): ParsedMessage {
  const { take, u8, shortVec, left } = bytesOf(bytes);
  const first = u8();
  const versioned = (first & 0x80) !== 0;
  if (versioned && (first & 0x7f) !== 0) throw new UndecodableMessageError('its version is unknown');
  const signerCount = versioned ? u8() : first;
  const readonlySigners = u8();
  const readonlyOthers = u8();

  const addresses = Array.from({ length: shortVec() }, () => addressFromBytes(take(32)));
  const { signers, accounts } = withRights(addresses, {
    signers: signerCount,
    readonlySigners,
    readonlyOthers,
  });
  const blockhash = addressFromBytes(take(32));

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
  return { version: versioned ? 0 : 'legacy', signers, accounts, blockhash, raw, lookups, config: null };
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

import { type Address, COMPUTE_BUDGET_PROGRAM, fromBase58, type Instruction } from '@tradepost/solana';
import { priorityFee } from '../../core/amounts/priority-fee.ts';
import type { LookupTable } from '../../engine/lookup-tables/rules/lookup-table.ts';
import { keyBytes } from './instruction-codec.ts';

/** A message and the rights of its accounts, those from tables included. */
export type EncodedMessage = {
  readonly bytes: Uint8Array;
  readonly signers: readonly Address[];
  readonly writable: readonly Address[];
  /** Accounts that its transaction locks. */
  readonly locks: number;
};

/** The rights that the instructions together ask of one account. */
type Rights = { signer: boolean; writable: boolean; invoked: boolean };

type Lookup = {
  readonly table: Address;
  readonly writable: readonly Found[];
  readonly readonly: readonly Found[];
};
type Found = { readonly address: Address; readonly index: number };

const KEY_BYTES = 32;
const MAX_KEYS = 256;
const V0 = 0x80;

/**
 * The message byte for byte as web3.js compiles it, in a tenth of its time: a swap is compiled twice per answer. Accounts are in the order
 * in which they are first named, payer first, signers before others and writable before read-only ones; a table serves every account that
 * is neither signer nor program. Throws a RangeError for more accounts than an index can count.
 */
export function encodeMessage(input: {
  readonly payer: Address;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  readonly lookupTables: readonly LookupTable[];
}): EncodedMessage {
  const { instructions } = input;
  const rights = rightsOf(input.payer, instructions);
  const lookups = input.lookupTables.flatMap((table) => lookupIn(table, rights) ?? []);
  const { groups, statics } = arranged(rights);
  const lookedUp = [
    ...lookups.flatMap(({ writable }) => writable),
    ...lookups.flatMap(({ readonly }) => readonly),
  ].map(({ address }) => address);
  const locks = statics.length + lookedUp.length;
  if (locks > MAX_KEYS) throw new RangeError(`a message names at most ${MAX_KEYS} accounts`);
  const position = new Map([...statics, ...lookedUp].map((key, index) => [key, index]));
  const at = (key: Address): number => position.get(key) ?? 0;

  const bytes = [V0, groups[0].length + groups[1].length, groups[1].length, groups[3].length];
  pushLength(bytes, statics.length);
  for (const key of statics) bytes.push(...keyBytes(key));
  bytes.push(...hashBytes(input.blockhash));
  pushLength(bytes, instructions.length);
  for (const { programId, accounts, data } of instructions) {
    bytes.push(at(programId));
    pushLength(bytes, accounts.length);
    for (const { address } of accounts) bytes.push(at(address));
    pushLength(bytes, data.length);
    for (const byte of data) bytes.push(byte);
  }
  pushLength(bytes, lookups.length);
  for (const { table, writable, readonly } of lookups) {
    bytes.push(...keyBytes(table));
    for (const list of [writable, readonly]) {
      pushLength(bytes, list.length);
      for (const { index } of list) bytes.push(index);
    }
  }
  return {
    bytes: Uint8Array.from(bytes),
    signers: [...groups[0], ...groups[1]],
    writable: [
      ...groups[0],
      ...groups[2],
      ...lookups.flatMap(({ writable }) => writable.map(({ address }) => address)),
    ],
    locks,
  };
}

/** By their rights, in the order of a message. */
function arranged(rights: ReadonlyMap<Address, Rights>) {
  const named = (signer: boolean, writable: boolean): readonly Address[] =>
    [...rights].flatMap(([key, has]) => (has.signer === signer && has.writable === writable ? [key] : []));
  const groups = [named(true, true), named(true, false), named(false, true), named(false, false)] as const;
  return { groups, statics: groups.flat() };
}

/** In the order in which accounts are first named; an account has every right that any instruction gives it. */
function rightsOf(payer: Address, instructions: readonly Instruction[]): Map<Address, Rights> {
  const rights = new Map<Address, Rights>([[payer, { signer: true, writable: true, invoked: false }]]);
  const of = (key: Address): Rights => {
    const known = rights.get(key);
    if (known !== undefined) return known;
    const fresh = { signer: false, writable: false, invoked: false };
    rights.set(key, fresh);
    return fresh;
  };
  for (const { programId, accounts } of instructions) {
    of(programId).invoked = true;
    for (const { address, signer, writable } of accounts) {
      const has = of(address);
      has.signer ||= signer;
      has.writable ||= writable;
    }
  }
  return rights;
}

/** The accounts that the table serves, which the message itself then no longer names; null for none. */
function lookupIn({ address: table, entries }: LookupTable, rights: Map<Address, Rights>): Lookup | null {
  const take = (writable: boolean): readonly Found[] => {
    const found: Found[] = [];
    for (const [address, has] of rights) {
      if (has.signer || has.invoked || has.writable !== writable) continue;
      const index = entries.indexOf(address);
      if (index < 0) continue;
      found.push({ address, index });
      rights.delete(address);
    }
    return found;
  };
  const [writable, readonly] = [take(true), take(false)];
  return writable.length + readonly.length === 0 ? null : { table, writable, readonly };
}

const V1 = 0x81;
const V1_MOST = { bytes: 4_096, accounts: 64, signatures: 12, instructions: 64 } as const;
const SIGNATURE_BYTES = 64;
const [UNIT_LIMIT, UNIT_PRICE] = [2, 3];
/** Of the config mask. The fee takes two bits. */
const MASK = { fee: 0b11, units: 0b100, loadedBytes: 0b1000 } as const;

/**
 * A message of version 1, with the instructions of the compute budget as its config: the priority in lamports, rounded up as the cluster
 * rounds a price, and the units. `dropped` counts them. Throws a RangeError where it is larger than its version allows, and for a budget
 * without units. Source of truth: SIMD-0385.
 */
export function encodeVersion1(input: {
  readonly payer: Address;
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
  readonly loadedBytes: number;
}): EncodedMessage & { readonly dropped: number } {
  const { config, rest, dropped } = takeBudget(input.instructions);
  const { groups, statics } = arranged(rightsOf(input.payer, rest));
  const at = new Map(statics.map((key, index) => [key, index]));
  const signers = [...groups[0], ...groups[1]];
  if (statics.length > V1_MOST.accounts)
    throw new RangeError(`a message of version 1 names at most ${V1_MOST.accounts} accounts`);
  if (signers.length > V1_MOST.signatures || rest.length > V1_MOST.instructions)
    throw new RangeError('a message of version 1 has at most 12 signers and 64 instructions');
  const hasFee = config.priorityLamports > 0n;
  const mask = (hasFee ? MASK.fee : 0) | MASK.units | MASK.loadedBytes;
  const bytes = [V1, signers.length, groups[1].length, groups[3].length, ...littleEndian(mask, 4)];
  bytes.push(...hashBytes(input.blockhash), rest.length, statics.length);
  for (const key of statics) bytes.push(...keyBytes(key));
  if (hasFee) bytes.push(...littleEndian(config.priorityLamports, 8));
  bytes.push(...littleEndian(config.units, 4), ...littleEndian(input.loadedBytes, 4));
  for (const { programId, accounts, data } of rest)
    bytes.push(at.get(programId) ?? 0, accounts.length, ...littleEndian(data.length, 2));
  for (const { accounts, data } of rest) {
    for (const { address } of accounts) bytes.push(at.get(address) ?? 0);
    for (const byte of data) bytes.push(byte);
  }
  const size = bytes.length + SIGNATURE_BYTES * signers.length;
  if (size > V1_MOST.bytes)
    throw new RangeError(`the transaction needs ${size} bytes; version 1 holds ${V1_MOST.bytes}`);
  return {
    bytes: Uint8Array.from(bytes),
    signers,
    writable: [...groups[0], ...groups[2]],
    locks: statics.length,
    dropped,
  };
}

/** The requests of the compute budget, and the instructions behind them. */
function takeBudget(instructions: readonly Instruction[]) {
  const rest = instructions.filter(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM);
  const budget = instructions.filter(({ programId }) => programId === COMPUTE_BUDGET_PROGRAM);
  if (instructions.slice(0, budget.length).some(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM))
    throw new RangeError('the compute budget comes first');
  const view = (tag: number): DataView | undefined => {
    const found = budget.find(({ data }) => data[0] === tag)?.data;
    return found && new DataView(found.buffer, found.byteOffset, found.byteLength);
  };
  const units = view(UNIT_LIMIT)?.getUint32(1, true) ?? 0;
  if (units === 0 || budget.some(({ data }) => data[0] !== UNIT_LIMIT && data[0] !== UNIT_PRICE))
    throw new RangeError('a message of version 1 needs a limit of units, and a price at most');
  const price = view(UNIT_PRICE)?.getBigUint64(1, true) ?? 0n;
  const config = { units, priorityLamports: priorityFee(BigInt(units), price) };
  return { config, rest, dropped: budget.length };
}

function littleEndian(value: number | bigint, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 0xffn));
}

function hashBytes(blockhash: string): Uint8Array {
  const bytes = fromBase58(blockhash);
  if (bytes?.length !== KEY_BYTES) throw new RangeError('a blockhash is base58 of 32 bytes');
  return bytes;
}

/** Solana's compact-u16: seven bits to a byte, lowest first. */
function pushLength(bytes: number[], length: number): void {
  let rest = length;
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

import { type Address, fromBase58, isAddress } from '@tradepost/solana';
import type { TapeInstruction, TapeTransaction, TokenChange } from '@tradepost/tape';
import { isRecord } from '../../../core/records.ts';
import { looksLikeAddress } from '../looks-like-address.ts';

/** A transaction as the node sent it: only the wanted ones are read to the end. */
export type WireTransaction = {
  readonly signature: string;
  /** Every account of the message, tables included. */
  readonly keys: readonly Address[];
  readonly decode: (place: Pick<TapeTransaction, 'slot' | 'index' | 'at'>) => TapeTransaction;
};

type Json = Readonly<Record<string, unknown>>;

/** Of `getBlock` and `getTransaction` with encoding `json`. A form that the protocol does not know throws. */
export function readWireTransaction(entry: unknown): WireTransaction {
  const { transaction, meta } = record(entry, 'a transaction');
  const { signatures, message } = record(transaction, 'a transaction');
  const [signature] = texts(signatures, 'the signatures');
  if (signature === undefined) throw strange('the signatures');
  const body = record(message, 'a message');
  const facts = record(meta, "a transaction's meta");
  const loaded = facts['loadedAddresses'];
  const tables = loaded === undefined || loaded === null ? {} : record(loaded, 'the loaded addresses');
  const keys = [
    ...addresses(body['accountKeys'], 'the account keys'),
    ...addresses(tables['writable'] ?? [], 'the loaded addresses'),
    ...addresses(tables['readonly'] ?? [], 'the loaded addresses'),
  ];
  return { signature, keys, decode: (place) => ({ ...place, ...decode(signature, keys, body, facts) }) };
}

function decode(
  signature: string,
  keys: readonly Address[],
  message: Json,
  meta: Json,
): Omit<TapeTransaction, 'slot' | 'index' | 'at'> {
  const signers = count(record(message['header'], 'the header')['numRequiredSignatures'], 'the header');
  return {
    signature,
    failed: meta['err'] !== null,
    signers: keys.slice(0, signers),
    feeLamports: BigInt(count(meta['fee'], 'the fee')),
    instructions: flattened(keys, message, meta),
    lamports: lamportChanges(keys, meta),
    tokens: tokenChanges(keys, meta),
    logs: texts(meta['logMessages'] ?? [], 'the logs'),
  };
}

/** Each instruction of the message with its inner calls right behind it: the order in which they ran. */
function flattened(keys: readonly Address[], message: Json, meta: Json): readonly TapeInstruction[] {
  const inner = new Map(
    list(meta['innerInstructions'] ?? [], 'the inner instructions').map((group) => {
      const { index, instructions } = record(group, 'the inner instructions');
      return [count(index, 'the inner instructions'), list(instructions, 'the inner instructions')] as const;
    }),
  );
  return list(message['instructions'], 'the instructions').flatMap((instruction, index) => [
    readInstruction(keys, instruction, 1),
    ...(inner.get(index) ?? []).map((one) => readInstruction(keys, one, null)),
  ]);
}

/** `height` null: the node gives it; nodes before 1.15 did not, and without it the owner of each call is unknown. */
function readInstruction(keys: readonly Address[], given: unknown, height: number | null): TapeInstruction {
  const { programIdIndex, accounts, data, stackHeight } = record(given, 'an instruction');
  const keyAt = (index: unknown): Address => {
    const key = keys[count(index, 'an instruction')];
    if (key === undefined) throw strange('an instruction');
    return key;
  };
  const bytes = typeof data === 'string' ? fromBase58(data) : null;
  if (bytes === null) throw strange("an instruction's data");
  return {
    program: keyAt(programIdIndex),
    accounts: list(accounts, 'an instruction').map(keyAt),
    data: bytes,
    height: height ?? count(stackHeight, "an instruction's height"),
  };
}

function lamportChanges(keys: readonly Address[], meta: Json): TapeTransaction['lamports'] {
  const before = list(meta['preBalances'], 'the balances');
  const after = list(meta['postBalances'], 'the balances');
  if (before.length !== keys.length || after.length !== keys.length) throw strange('the balances');
  return keys.map((account, index) => ({
    account,
    before: BigInt(count(before[index], 'a balance')),
    after: BigInt(count(after[index], 'a balance')),
  }));
}

/** An account that is on one side only was made or closed by the transaction: the other side is 0. */
function tokenChanges(keys: readonly Address[], meta: Json): readonly TokenChange[] {
  const changes = new Map<number, { owner: Address; mint: Address; before: bigint; after: bigint }>();
  for (const side of ['before', 'after'] as const) {
    const given = list(meta[side === 'before' ? 'preTokenBalances' : 'postTokenBalances'] ?? [], 'balances');
    for (const one of given) {
      const { accountIndex, mint, owner, uiTokenAmount } = record(one, 'a token balance');
      const { amount } = record(uiTokenAmount, 'a token balance');
      if (typeof mint !== 'string' || !isAddress(mint)) throw strange('a token balance');
      if (typeof owner !== 'string' || !isAddress(owner)) throw strange('a token balance');
      if (typeof amount !== 'string' || !/^\d{1,20}$/.test(amount)) throw strange('a token balance');
      const index = count(accountIndex, 'a token balance');
      const change = changes.get(index) ?? { owner, mint, before: 0n, after: 0n };
      change[side] = BigInt(amount);
      changes.set(index, change);
    }
  }
  return [...changes].map(([index, change]) => {
    const account = keys[index];
    if (account === undefined) throw strange('a token balance');
    return { account, ...change };
  });
}

/** A block's own facts. */
export type BlockHead = {
  readonly slot: bigint;
  readonly parentSlot: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly at: number;
};

/** A block with its transactions in order. */
export type WireBlock = BlockHead & {
  readonly transactions: readonly WireTransaction[];
  /** Each of its transactions is read; false where one keeps its place without any content. */
  readonly isWhole: boolean;
};

/** Of `getBlock` with any details. */
export function readBlockHead(slot: bigint, answer: unknown): BlockHead {
  const { blockhash, previousBlockhash, parentSlot, blockTime } = record(answer, 'a block');
  if (typeof blockhash !== 'string' || typeof previousBlockhash !== 'string') throw strange('a block');
  return {
    slot,
    parentSlot: BigInt(count(parentSlot, "a block's parent")),
    hash: blockhash,
    parentHash: previousBlockhash,
    at: count(blockTime, "a block's time"),
  };
}

/**
 * Of `getBlock` with encoding `json` and full details. Throws where the list of transactions is missing, which is no empty block, and
 * where a transaction is in it twice: a signature lands once, and of such a block no place is to be trusted.
 */
export function readWireBlock(slot: bigint, answer: unknown): WireBlock {
  const { transactions } = record(answer, 'a block');
  const read = list(transactions, "a block's transactions").map(readWireTransaction);
  if (new Set(read.map(({ signature }) => signature)).size < read.length)
    throw new Error(`the endpoint's block of slot ${slot} holds a transaction twice`);
  return { ...readBlockHead(slot, answer), transactions: read, isWhole: true };
}

export function record(value: unknown, what: string): Json {
  if (!isRecord(value)) throw strange(what);
  return value;
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw strange(what);
  return value;
}

export function count(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw strange(what);
  return value;
}

function texts(value: unknown, what: string): readonly string[] {
  return list(value, what).map((one) => {
    if (typeof one !== 'string') throw strange(what);
    return one;
  });
}

/** By their length alone: they are compared and never used as bytes, and base58 would be the dearest part of a block. */
function addresses(value: unknown, what: string): readonly Address[] {
  return list(value, what).map((one) => {
    if (!looksLikeAddress(one)) throw strange(what);
    return one;
  });
}

function strange(what: string): Error {
  return new Error(`the endpoint answered with ${what} in no known form`);
}

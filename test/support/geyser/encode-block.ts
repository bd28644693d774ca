import { fromBase58 } from '@tradepost/solana';
import { isRecord } from '../../../src/core/records.ts';

type Json = Readonly<Record<string, unknown>>;

/** A transaction of a JSON-RPC block in the form of Yellowstone's package; `index` is its place in the block. */
export function transactionUpdate(slot: number, index: number, given: unknown): Json {
  const { transaction, meta } = asRecord(given);
  const { signatures, message } = asRecord(transaction);
  const { header, accountKeys, instructions, recentBlockhash } = asRecord(message);
  return {
    slot: String(slot),
    transaction: {
      signature: bytes(asList(signatures)[0]),
      isVote: false,
      index: String(index),
      transaction: {
        signatures: asList(signatures).map(bytes),
        message: {
          header,
          accountKeys: asList(accountKeys).map(bytes),
          recentBlockhash: bytes(recentBlockhash),
          instructions: asList(instructions).map(instruction),
          versioned: true,
          addressTableLookups: [],
        },
      },
      meta: metaOf(asRecord(meta)),
    },
  };
}

function metaOf(meta: Json): Json {
  const loaded = isRecord(meta['loadedAddresses']) ? meta['loadedAddresses'] : {};
  return {
    // Bincode of the error, of which only the presence counts.
    err: meta['err'] === null ? undefined : { err: Uint8Array.of(1, 0, 0, 0) },
    fee: String(meta['fee']),
    preBalances: asList(meta['preBalances']).map(String),
    postBalances: asList(meta['postBalances']).map(String),
    preTokenBalances: meta['preTokenBalances'],
    postTokenBalances: meta['postTokenBalances'],
    innerInstructions: asList(meta['innerInstructions'] ?? []).map((group) => {
      const { index, instructions } = asRecord(group);
      return { index, instructions: asList(instructions).map(instruction) };
    }),
    logMessages: meta['logMessages'],
    loadedWritableAddresses: asList(loaded['writable'] ?? []).map(bytes),
    loadedReadonlyAddresses: asList(loaded['readonly'] ?? []).map(bytes),
  };
}

/** Every account that the transaction names. */
export function keysOf(given: unknown): readonly unknown[] {
  const { transaction, meta } = asRecord(given);
  const { writable, readonly } = asRecord(asRecord(meta)['loadedAddresses'] ?? {});
  return [
    ...asList(asRecord(asRecord(transaction)['message'])['accountKeys']),
    ...asList(writable ?? []),
    ...asList(readonly ?? []),
  ];
}

function instruction(given: unknown): Json {
  const { programIdIndex, accounts, data, stackHeight } = asRecord(given);
  return {
    programIdIndex,
    accounts: Uint8Array.from(asList(accounts).map(Number)),
    data: bytes(data),
    ...(typeof stackHeight === 'number' ? { stackHeight } : {}),
  };
}

function bytes(text: unknown): Uint8Array {
  const read = typeof text === 'string' ? fromBase58(text) : null;
  if (read === null) throw new Error(`not base58: ${String(text)}`);
  return read;
}

export function asRecord(value: unknown): Json {
  if (!isRecord(value)) throw new Error('the node answered in another form');
  return value;
}

export function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('the node answered in another form');
  return value;
}

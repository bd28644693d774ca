import { toBase58 } from '@tradepost/solana';
import { list, readWireTransaction, record, type WireTransaction } from '../wire-transaction.ts';

/** The messages of a stream that we ask for. */
export type GeyserUpdate =
  | {
      readonly kind: 'transaction';
      readonly slot: bigint;
      readonly index: number;
      readonly transaction: WireTransaction;
    }
  /** Follows the transactions of its block. */
  | { readonly kind: 'block'; readonly slot: bigint; readonly parentSlot: bigint; readonly at: number }
  /** The server asks whether the client is there: balancers cut a stream without an answer. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'other' };

type Json = Readonly<Record<string, unknown>>;

/** Throws for a form that the protocol does not know. 64-bit numbers come as text. */
export function readUpdate(update: unknown): GeyserUpdate {
  const { transaction, blockMeta, ping } = record(update, 'an update');
  if (transaction !== undefined) {
    const { slot, transaction: info } = record(transaction, 'a transaction');
    const told = record(info, 'a transaction');
    return {
      kind: 'transaction',
      slot: whole(slot),
      index: Number(whole(told['index'])),
      transaction: readWireTransaction(asJson(told)),
    };
  }
  if (blockMeta !== undefined) {
    const { slot, parentSlot, blockTime } = record(blockMeta, 'a block');
    const { timestamp } = record(blockTime, "a block's time");
    return { kind: 'block', slot: whole(slot), parentSlot: whole(parentSlot), at: Number(whole(timestamp)) };
  }
  return { kind: ping === undefined ? 'other' : 'ping' };
}

/** The form that nodes answer with over JSON-RPC: it is read in one place. */
function asJson(info: Json): unknown {
  const { signatures, message } = record(info['transaction'], 'a transaction');
  const { header, accountKeys, instructions } = record(message, 'a message');
  const meta = record(info['meta'], "a transaction's meta");
  return {
    transaction: {
      signatures: texts(signatures),
      message: {
        header,
        accountKeys: texts(accountKeys),
        instructions: list(instructions, 'the instructions').map(instruction),
      },
    },
    meta: {
      err: meta['err'] ?? null,
      fee: Number(whole(meta['fee'])),
      preBalances: numbers(meta['preBalances']),
      postBalances: numbers(meta['postBalances']),
      preTokenBalances: meta['preTokenBalances'],
      postTokenBalances: meta['postTokenBalances'],
      innerInstructions: list(meta['innerInstructions'], 'the inner instructions').map((group) => {
        const { index, instructions: inner } = record(group, 'the inner instructions');
        return { index, instructions: list(inner, 'the inner instructions').map(instruction) };
      }),
      logMessages: meta['logMessages'],
      loadedAddresses: {
        writable: texts(meta['loadedWritableAddresses']),
        readonly: texts(meta['loadedReadonlyAddresses']),
      },
    },
  };
}

function instruction(given: unknown): Json {
  const { programIdIndex, accounts, data, stackHeight } = record(given, 'an instruction');
  return { programIdIndex, accounts: [...bytes(accounts)], data: toBase58(bytes(data)), stackHeight };
}

function texts(given: unknown): readonly string[] {
  return list(given, 'bytes').map((one) => toBase58(bytes(one)));
}

function numbers(given: unknown): readonly number[] {
  return list(given, 'numbers').map((one) => Number(whole(one)));
}

function bytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('the stream told no bytes where bytes belong');
  return value;
}

function whole(value: unknown): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value))
    throw new Error('the stream told no number where one belongs');
  return BigInt(value);
}

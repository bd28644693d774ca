import type { ReadLevel } from '../../ports/transaction-source.ts';
import { isVersionRefusal, MAX_TRANSACTION_VERSION } from '../transaction-version.ts';
import type { Call } from './source-endpoints.ts';
import { list, readWireTransaction, record, type WireTransaction } from './wire-transaction.ts';

/** How a block is asked for whole. */
export function wholeBlock(level: ReadLevel): Readonly<Record<string, unknown>> {
  return {
    encoding: 'json',
    transactionDetails: 'full',
    rewards: false,
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
    commitment: level,
  };
}

/** Null where the node refuses because of a version that nothing here reads; other errors are thrown. */
export async function ifReadable<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isVersionRefusal(error)) return null;
    throw error;
  }
}

/** One transaction by its signature, with the answer that it was read of; null for a version that nothing here reads. */
export async function serveTransaction(
  call: Call,
  signature: string,
  level: ReadLevel,
): Promise<{ readonly read: WireTransaction; readonly answer: unknown } | null> {
  const asked = {
    encoding: 'json',
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
    commitment: level,
  };
  const served = await ifReadable(async () => ({ answer: await call('getTransaction', [signature, asked]) }));
  if (served === null) return null;
  const { answer } = served;
  if (answer === null) throw new Error(`the endpoint lists ${signature} and does not serve it`);
  const read = readWireTransaction(answer);
  if (read.signature !== signature) throw new Error('the endpoint served another transaction');
  return { read, answer };
}

/** The block of a slot with the names of its transactions alone, which every node serves for all versions. */
export async function namedBlock(
  call: Call,
  slot: bigint,
  level: ReadLevel,
): Promise<Readonly<Record<string, unknown>>> {
  const asked = {
    transactionDetails: 'signatures',
    rewards: false,
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
    commitment: level,
  };
  return record(await call('getBlock', [Number(slot), asked]), 'a block');
}

export async function signaturesOfBlock(
  call: Call,
  slot: bigint,
  level: ReadLevel,
): Promise<readonly string[]> {
  return list((await namedBlock(call, slot, level))['signatures'], 'the signatures').map(String);
}

import { type ChainAccount, isAddress } from '@tradepost/solana';
import type { SignatureStatus, Simulation } from '../ports/chain.ts';
import { looksLikeAddress } from './looks-like-address.ts';

/**
 * Answers of the JSON-RPC methods that every quote asks for, read by hand. A shape that the protocol does not know throws,
 * and the endpoint counts as one that did not answer.
 */
type Json = Readonly<Record<string, unknown>>;

/** Of `getMultipleAccounts` with base64 data. */
export function readAccounts(
  result: unknown,
  wanted: number,
): { readonly slot: bigint; readonly accounts: readonly (ChainAccount | null)[] } {
  const { slot, value } = contextual(result);
  if (!Array.isArray(value) || value.length !== wanted) throw strange('the accounts');
  return { slot, accounts: value.map(readAccount) };
}

/** Of `getLatestBlockhash`. */
export function readBlockhash(result: unknown): {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly slot: bigint;
} {
  const { slot, value } = contextual(result);
  if (!isRecord(value)) throw strange('the blockhash');
  const { blockhash, lastValidBlockHeight } = value;
  if (typeof blockhash !== 'string' || !isAddress(blockhash)) throw strange('the blockhash');
  return { blockhash, lastValidBlockHeight: natural(lastValidBlockHeight, 'the block height'), slot };
}

/** Of `getRecentPrioritizationFees`: micro-lamports per unit, one per recent slot. */
export function readPrices(result: unknown): readonly number[] {
  if (!Array.isArray(result)) throw strange('the priority fees');
  return result.map((one: unknown) => {
    const fee = isRecord(one) ? one['prioritizationFee'] : undefined;
    if (typeof fee !== 'number' || !Number.isFinite(fee) || fee < 0) throw strange('the priority fees');
    return fee;
  });
}

/** Of `getSignatureStatuses`, in the order asked. A node without a confirmation level has seen it and claims no more than that. */
export function readStatuses(result: unknown, wanted: number): readonly (SignatureStatus | null)[] {
  const { value } = contextual(result);
  if (!Array.isArray(value) || value.length !== wanted) throw strange('the statuses');
  return value.map((one: unknown) => {
    if (one === null) return null;
    if (!isRecord(one)) throw strange('a status');
    const { slot, err, confirmationStatus: level = null } = one;
    if (level !== null && level !== 'processed' && level !== 'confirmed' && level !== 'finalized')
      throw strange('a status');
    if (err === undefined) throw strange('a status');
    return {
      slot: natural(slot, "a status's slot"),
      level: level ?? 'processed',
      err: err === null ? null : JSON.stringify(err),
    };
  });
}

/** Of `getSignatureStatuses` for one signature, with the slot that the answer was made at. */
export function readStatusAt(result: unknown): {
  readonly slot: bigint;
  readonly status: SignatureStatus | null;
} {
  const [status = null] = readStatuses(result, 1);
  return { slot: contextual(result).slot, status };
}

/** Of `isBlockhashValid`, with the slot that the answer was made at. */
export function readValidity(result: unknown): { readonly slot: bigint; readonly isValid: boolean } {
  const { slot, value } = contextual(result);
  if (typeof value !== 'boolean') throw strange('the blockhash');
  return { slot, isValid: value };
}

/** Of `getEpochInfo`. */
export function readHeight(result: unknown): { readonly height: bigint; readonly slot: bigint } {
  if (!isRecord(result)) throw strange('the epoch');
  return {
    height: natural(result['blockHeight'], 'the block height'),
    slot: natural(result['absoluteSlot'], 'the slot'),
  };
}

/** Of methods that answer with a slot alone. */
export function readSlot(result: unknown): bigint {
  return natural(result, 'a slot');
}

/** Of `simulateTransaction` with `watched` accounts in base64. */
export function readSimulation(result: unknown, watched: number): Simulation {
  const { slot, value } = contextual(result);
  if (!isRecord(value)) throw strange('the simulation');
  const { err, logs, unitsConsumed, loadedAccountsDataSize, accounts } = value;
  const after: readonly unknown[] = Array.isArray(accounts) ? accounts : [];
  if (err === null && after.length !== watched) throw strange('the simulated accounts');
  return {
    err: err === null || err === undefined ? null : JSON.stringify(err),
    logs: Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [],
    unitsConsumed: typeof unitsConsumed === 'number' ? unitsConsumed : 0,
    loadedBytes: typeof loadedAccountsDataSize === 'number' ? loadedAccountsDataSize : null,
    after: Array.from({ length: watched }, (_, index) => readAccount(after[index] ?? null)),
    slot,
  };
}

export function readAccount(account: unknown): ChainAccount | null {
  if (account === null) return null;
  if (!isRecord(account)) throw strange('an account');
  const { lamports, owner, data, executable } = account;
  const [text, encoding]: readonly unknown[] = Array.isArray(data) ? data : [];
  if (!looksLikeAddress(owner)) throw strange("an account's owner");
  if (typeof text !== 'string' || encoding !== 'base64') throw strange("an account's data");
  return {
    lamports: natural(lamports, "an account's lamports"),
    // Compared with known programs and never used as bytes: reading it as base58 would be the dearest part of a read.
    owner,
    data: Buffer.from(text, 'base64'),
    executable: executable === true,
  };
}

export function contextual(result: unknown): { readonly slot: bigint; readonly value: unknown } {
  const context = isRecord(result) ? result['context'] : undefined;
  if (!isRecord(result) || !isRecord(context)) throw strange('the context');
  return { slot: natural(context['slot'], 'the slot'), value: result['value'] };
}

function natural(value: unknown, what: string): bigint {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw strange(what);
  return BigInt(value);
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function strange(what: string): Error {
  return new Error(`the endpoint answered with ${what} in no known form`);
}

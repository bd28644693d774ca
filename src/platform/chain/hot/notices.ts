import type { Address, ChainAccount } from '@tradepost/solana';
import { isRecord } from '../../../core/records.ts';
import { contextual, readAccount } from '../wire-answers.ts';

/** A message of the subscription protocol, as far as this client asks for any. */
export type Notice =
  | { readonly kind: 'accepted'; readonly request: number; readonly subscription: number }
  | { readonly kind: 'refused'; readonly request: number; readonly reason: string }
  | {
      readonly kind: 'account';
      readonly subscription: number;
      readonly slot: bigint;
      readonly account: ChainAccount | null;
    }
  | { readonly kind: 'slot'; readonly slot: bigint; readonly parent: bigint }
  /** An answer without a request, or a notice without a subscription. */
  | { readonly kind: 'other' };

export function subscribeMessage(request: number, account: Address): string {
  const params = [account, { encoding: 'base64', commitment: 'confirmed' }];
  return JSON.stringify({ jsonrpc: '2.0', id: request, method: 'accountSubscribe', params });
}

/** Asks for the beginning of each block, with its parent. */
export function slotsMessage(request: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id: request, method: 'slotSubscribe' });
}

export function unsubscribeMessage(request: number, subscription: number): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: request,
    method: 'accountUnsubscribe',
    params: [subscription],
  });
}

/** Null for a message that the protocol does not know. */
export function noticeOf(text: string): Notice | null {
  try {
    return read(text);
  } catch {
    return null;
  }
}

function read(text: string): Notice {
  const message: unknown = JSON.parse(text);
  if (!isRecord(message)) throw new Error('no message');
  const { id, result, error, method, params } = message;
  if (typeof id === 'number' && error !== undefined) {
    return { kind: 'refused', request: id, reason: JSON.stringify(error).slice(0, 200) };
  }
  if (typeof id === 'number') {
    return Number.isSafeInteger(result)
      ? { kind: 'accepted', request: id, subscription: Number(result) }
      : { kind: 'other' };
  }
  if (method !== 'accountNotification' && method !== 'slotNotification') return { kind: 'other' };
  if (!isRecord(params)) throw new Error('a notice without its subject');
  const { subscription, result: told } = params;
  if (!Number.isSafeInteger(subscription)) throw new Error('a notice of no subscription');
  if (method === 'slotNotification') {
    const { slot, parent } = isRecord(told) ? told : {};
    if (!Number.isSafeInteger(slot) || !Number.isSafeInteger(parent)) throw new Error('a block of no slot');
    return { kind: 'slot', slot: BigInt(Number(slot)), parent: BigInt(Number(parent)) };
  }
  const { slot, value } = contextual(told);
  const account = readAccount(value);
  return {
    kind: 'account',
    subscription: Number(subscription),
    slot,
    // A notice shows a closed account as an empty one.
    account: account === null || account.lamports === 0n ? null : account,
  };
}

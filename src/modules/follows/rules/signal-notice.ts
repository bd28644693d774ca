import type { Address } from '@tradepost/solana';
import { address } from '../../../core/address/address.ts';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import type { SignalWindow } from './signal.ts';

/** Payload of a `signal` notice: a window of one token, and the number of wallets that it took. */
export type SignalNotice = SignalWindow & { readonly mint: Address; readonly wallets: number };

export const encodeSignal = ({ mint, wallets, beganAt, until, leaders }: SignalNotice): unknown => ({
  mint,
  wallets,
  beganAt,
  until,
  leaders: leaders.map((leader) => ({ leader })),
});

export function decodeSignal(payload: unknown): SignalNotice {
  const read = jsonReader(payload, 'notice');
  return {
    mint: address(read.text('mint')),
    wallets: read.integer('wallets'),
    beganAt: read.integer('beganAt'),
    until: read.integer('until'),
    leaders: read.list('leaders', (item) => item.address('leader')),
  };
}

/** Payload of a `signal-digest` notice: signals of one hour that were counted alone. */
export type SignalDigest = { readonly count: number };

export const encodeSignalDigest = ({ count }: SignalDigest): unknown => ({ count });

export const decodeSignalDigest = (payload: unknown): SignalDigest => ({
  count: jsonReader(payload, 'notice').integer('count'),
});

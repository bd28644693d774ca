import type { Address } from '@tradepost/solana';
import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';
import type { KeyUse } from './key-use.ts';

/**
 * `added`: the person, or who holds the account, added a key. `used`: requests of it that the signer let pass since the last notice.
 * `order-ended`: it ended an order.
 */
export const KEY_EVENTS = ['added', 'used', 'order-ended'] as const;
export type KeyEvent = (typeof KEY_EVENTS)[number];

/** Payload of a `personal-key` notice. */
export type KeyNotice = {
  readonly keyId: string;
  readonly event: KeyEvent;
  readonly trades: number;
  readonly orders: number;
  /** Of their purchases. */
  readonly lamports: bigint;
  /** The token of them all; null where there are several, or none. */
  readonly mint: Address | null;
};

export const encodeKeyNotice = ({ lamports, ...notice }: KeyNotice): unknown => ({
  ...notice,
  lamports: lamports.toString(),
});

export function decodeKeyNotice(payload: unknown): KeyNotice {
  const read = jsonReader(payload, 'notice');
  return {
    keyId: read.text('keyId'),
    event: read.oneOf('event', KEY_EVENTS),
    trades: read.integer('trades'),
    orders: read.integer('orders'),
    lamports: read.amount('lamports'),
    mint: read.addressOrNull('mint'),
  };
}

/** One notice for all uses of a key that its person has not heard of: many of them are one message. */
export function noticeOfUses(keyId: string, uses: readonly KeyUse[]): KeyNotice {
  const [first] = uses;
  const isOneToken = first !== undefined && uses.every(({ mint }) => mint === first.mint);
  return {
    keyId,
    event: 'used',
    trades: uses.filter(({ what }) => what === 'trade').length,
    orders: uses.filter(({ what }) => what === 'order').length,
    lamports: uses.reduce((sum, { lamports }) => sum + lamports, 0n),
    mint: isOneToken ? first.mint : null,
  };
}

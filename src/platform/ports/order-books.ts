import type { Address } from '@tradepost/solana';
import type { OrderSide, OrderTerms } from '../../modules/orders/rules/order.ts';
import type { Mismatch } from './operations.ts';

/** The database's facts about all orders, for a check of them. Throws DATABASE_UNREACHABLE. */
export interface OrderBooks {
  /** Orders, fires and intents that do not fit each other; none when all is well. */
  mismatches(): Promise<readonly Mismatch[]>;
  counts(): Promise<{ readonly orders: number; readonly fires: number }>;
  /** Fires that had their effect, by intent, after this one. */
  settled(after: string, limit: number): Promise<readonly SettledFire[]>;
  /** Fires of orders that wait for an event, by intent, after this one. Throws where the terms of one cannot be read. */
  eventFires(after: string, limit: number): Promise<readonly EventFire[]>;
}

export type EventFire = {
  readonly intentId: string;
  readonly mint: Address;
  readonly terms: OrderTerms;
  readonly slot: bigint;
  /** What the event came to, as the fire says; null where it says nothing. */
  readonly seen: bigint | null;
  readonly firedAt: number;
  readonly expiresAt: number;
  /** Whether an earlier fire of the order had its effect: this one gives what that left. */
  readonly follows: boolean;
};

export type SettledFire = {
  readonly intentId: string;
  readonly side: OrderSide;
  readonly wallet: Address;
  readonly mint: Address;
  /** Lamports of a buy, units of a sale. */
  readonly given: bigint;
  /** Units of a buy, lamports of a sale. */
  readonly got: bigint;
  /** Null where no attempt of the intent is final. */
  readonly signature: string | null;
};

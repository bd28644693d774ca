import type { Address } from '../../core/address/address.ts';
import type { OrderSide } from '../../modules/orders/rules/order.ts';
import type { Mismatch } from './operations.ts';

/** The database's facts about all orders, for a check of them. Throws DATABASE_UNREACHABLE. */
export interface OrderBooks {
  /** Orders, fires and intents that do not fit each other; none when all is well. */
  mismatches(): Promise<readonly Mismatch[]>;
  counts(): Promise<{ readonly orders: number; readonly fires: number }>;
  /** Fires that had their effect, by intent, after this one. */
  settled(after: string, limit: number): Promise<readonly SettledFire[]>;
}

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

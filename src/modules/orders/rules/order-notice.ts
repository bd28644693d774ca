import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';

/** The events of an order that a person is notified of. Each names rows: the text is made of these as they are when it is sent. */
export const ORDER_EVENTS = [
  'fired',
  'voided',
  'held-back',
  'paused',
  'cancelled',
  /** It ends within a day. */
  'ending',
  'expired',
  'missed',
  /** Its price has not been read for minutes. */
  'blind',
  /** The creator gave tokens to another wallet; `code` = the units since the placing. */
  'dev-moved',
] as const;

export type OrderEventName = (typeof ORDER_EVENTS)[number];

/** Payload of an `order` notice. `code`: why; `n`: which fire, 0 = none. */
export type OrderNotice = {
  readonly orderId: string;
  readonly event: OrderEventName;
  readonly code: string | null;
  readonly n: number;
};

export const encodeOrderNotice = (notice: OrderNotice): unknown => ({ ...notice });

export function decodeOrderNotice(payload: unknown): OrderNotice {
  const read = jsonReader(payload, 'notice');
  return {
    orderId: read.text('orderId'),
    event: read.oneOf('event', ORDER_EVENTS),
    code: read.textOrNull('code'),
    n: read.integer('n'),
  };
}

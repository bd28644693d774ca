import { z } from 'zod';
import { DOUBTS } from '../../../modules/guard/rules/doubt.ts';
import type { Grants } from '../../../modules/guard/rules/grants.ts';
import type { LandedFailure } from '../../../modules/orders/rules/budget.ts';
import type { DevSells, LiquidityFalls, OrderEvent } from '../../../modules/orders/rules/event-trigger.ts';
import type { OrderProgress, OrderTerms } from '../../../modules/orders/rules/order.ts';
import type { OrderChild } from '../../../modules/orders/rules/order-child.ts';
import type { Rate } from '../../../modules/orders/rules/rate.ts';
import type { ScheduleProgress } from '../../../modules/orders/rules/schedule.ts';
import {
  address,
  amount,
  rate as bpsRate,
  count,
  exactly,
  flag,
  orAbsent,
  orNull,
  type Shape,
  text,
  tier,
  time,
} from './fields.ts';
import { jsonColumn } from './json-column.ts';

/** A part of a ratio: longer than the chain's numbers, for ratios are multiplied out exactly. */
const part: z.ZodType<bigint, unknown> = z.codec(
  z.strictObject({
    $bigint: z.string().regex(/^(?:0|[1-9]\d{0,59})$/, { error: 'a whole number in digits' }),
  }),
  z.bigint(),
  { decode: ({ $bigint }) => BigInt($bigint), encode: (value) => ({ $bigint: value.toString() }) },
);
const ratio = exactly<Rate>({
  got: part,
  given: part.refine((value) => value > 0n, { error: 'above zero' }),
});

const grants = exactly<Grants>({
  steep: flag,
  doubts: z.array(z.enum(DOUBTS)),
  lockEpoch: count,
  until: time,
});

const event: z.ZodType<OrderEvent, unknown> = z.discriminatedUnion('kind', [
  exactly<DevSells>({
    kind: z.literal('dev-sells'),
    creator: address,
    held: amount,
    supply: amount,
    sinceSlot: amount,
  }),
  exactly<LiquidityFalls>({
    kind: z.literal('liquidity-falls'),
    fallBps: bpsRate,
    liquidity: part,
    onCurve: flag,
  }),
]);

const TERMS: Shape<OrderTerms> = {
  request: text,
  toleranceBps: bpsRate,
  slippageBps: bpsRate,
  tier,
  floor: orNull(ratio),
  trailing: orNull(exactly<NonNullable<OrderTerms['trailing']>>({ bps: bpsRate, activation: orNull(ratio) })),
  event: orAbsent(event),
  schedule: orNull(
    exactly<NonNullable<OrderTerms['schedule']>>({
      startAt: time,
      intervalMs: count,
      rounds: count,
      band: exactly<NonNullable<OrderTerms['schedule']>['band']>({
        least: orNull(ratio),
        most: orNull(ratio),
      }),
    }),
  ),
  sellsOnExpiry: flag,
  accepted: z.array(text),
  supply: orNull(amount),
  depthLamports: orNull(amount),
  grants: orAbsent(orNull(grants)),
  program: orAbsent(exactly<NonNullable<OrderTerms['program']>>({ keyId: text, lockEpoch: count })),
  agreedAt: orAbsent(time),
};

const PROGRESS: Shape<OrderProgress> = {
  refusals: count,
  note: orNull(exactly<NonNullable<OrderProgress['note']>>({ code: text, at: time })),
  told: z.record(z.string(), time),
  failures: z.array(exactly<LandedFailure>({ at: time, feeLamports: amount })),
  activatedAt: orNull(time),
  schedule: orNull(exactly<ScheduleProgress>({ slot: count, done: count, missed: count })),
  doubts: orAbsent(z.array(text)),
  short: orAbsent(count),
  follows: orAbsent(z.literal(true)),
};

const terms = exactly<OrderTerms>(TERMS);
const progress = exactly<OrderProgress>(PROGRESS);

export const ORDER_TERMS = jsonColumn<OrderTerms>('orders.terms', [terms, terms]);
export const ORDER_PROGRESS = jsonColumn<OrderProgress>('orders.progress', [progress, progress]);

/** In the params of an intent that an order wanted. */
export const ORDER_CHILD = orAbsent(exactly<OrderChild>({ id: text, n: count }));

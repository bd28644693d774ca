import { MAX_U64 } from '@tradepost/solana';
import { ungroup } from '../../../core/amounts/decimal.ts';
import type { PlacementRefusal } from '../../../core/errors/details.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import { isEventType } from './event-trigger.ts';
import type { OrderSide, OrderType, PriceUnit } from './order.ts';
import { compareRates, type Rate } from './rate.ts';
import { INTERVAL_LIMITS_MS, ROUND_LIMITS, scheduleLastsMs } from './schedule.ts';
import { directionOf, isTrue } from './trigger.ts';

export type { PlacementRefusal } from '../../../core/errors/details.ts';

export type PlacementWarning =
  | { readonly kind: 'impact'; readonly impactBps: number }
  | { readonly kind: 'depth-share'; readonly bps: number }
  | { readonly kind: 'trail-within-impact'; readonly impactBps: number };

export const PLACEMENT = {
  minimumLamports: 10_000_000n,
  maxBuyImpactBps: 5_000,
  warnImpactBps: 500,
  warnDepthBps: 2_000,
  trailBps: { min: 100, max: 9_000 },
  expiryMs: 30 * 86_400_000,
  defaultExpiryMs: 7 * 86_400_000,
  perToken: 20,
  perPerson: 100,
  legs: 10,
  /** How much worse than its trigger a limit order may end at most, and a breakout by default. */
  maxToleranceBps: 5_000,
  stopBuyToleranceBps: 1_000,
} as const;

/** A typed price, before it is resolved against a reference. Numbers are exact: digits / 10^scale. */
export type PriceRequest = {
  readonly kind: PriceUnit | 'percent' | 'multiple' | 'cap';
  /** Below zero only for a percentage. */
  readonly digits: bigint;
  readonly scale: number;
};

const FORMS: readonly (readonly [PriceRequest['kind'], RegExp])[] = [
  ['percent', /^([+\-−]?)(\d{1,6})(?:[.,](\d{1,4}))?\s*%$/],
  ['multiple', /^()(\d{1,6})(?:[.,](\d{1,4}))?\s*x$/i],
  ['cap', /^()\$?(\d{1,12})(?:[.,](\d{1,4}))?\s*[KMB]$/i],
  ['USD', /^()\$(\d{1,12})(?:[.,](\d{1,18}))?$/],
  ['SOL', /^()(\d{1,12})(?:[.,](\d{1,18}))?(?:\s*SOL)?$/i],
];
const CAP_POWER: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9 };

/**
 * Reads `0.00042`, `$0.3`, `-20%`, `2x` or `420K`. Exponents, a comma that can be read in two ways, other signs and zero are
 * refused.
 */
export function readPrice(typed: string): PriceRequest | PlacementRefusal {
  const text = withPlainDigits(typed);
  const [number = ''] = /\d[\d.,]*/.exec(text) ?? [];
  const plain = ungroup(number);
  if (plain === null) return { kind: 'price-ambiguous' };
  const given = text.trim().replace(number, plain);
  for (const [kind, form] of FORMS) {
    const match = form.exec(given);
    if (match === null) continue;
    const fraction = match[3] ?? '';
    const power = kind === 'cap' ? (CAP_POWER[given.slice(-1).toUpperCase()] ?? 0) : 0;
    const size = BigInt(`${match[2] ?? ''}${fraction}`) * 10n ** BigInt(power);
    const digits = match[1] === '' || match[1] === '+' ? size : -size;
    const isNothing = size === 0n || (kind === 'percent' && digits <= -100n * 10n ** BigInt(fraction.length));
    return isNothing ? { kind: 'price-invalid' } : { kind, digits, scale: fraction.length };
  }
  return { kind: 'price-invalid' };
}

/**
 * Whether a number means two things to a Spanish reader: `1.500` is 1500 there, and 1.5 on every exchange. Such a text is refused
 * where it is typed, as `1,500` is in any language.
 */
export function isAmbiguousIn(language: 'en' | 'es', typed: string): boolean {
  return language === 'es' && /(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])/.test(withPlainDigits(typed));
}

/** The price that a percentage or a multiple of `reference` names. Exact; prices are the cost of one token. */
export function relativePrice(
  reference: Rate,
  request: PriceRequest & { readonly kind: 'percent' | 'multiple' },
): Rate {
  const one = 10n ** BigInt(request.scale);
  return request.kind === 'multiple'
    ? { got: reference.got * request.digits, given: reference.given * one }
    : { got: reference.got * (100n * one + request.digits), given: reference.given * 100n * one };
}

/** The price of one smallest unit, in lamports or millionths of a dollar, by a price of a whole token. Exact. */
export function pricePerUnit(request: PriceRequest & { readonly kind: PriceUnit }, decimals: number): Rate {
  const smallest = request.kind === 'SOL' ? 10n ** 9n : 10n ** 6n;
  return { got: request.digits * smallest, given: 10n ** BigInt(request.scale + decimals) };
}

/**
 * The trigger for a price of the token, from the giver's side: sellers get the price for a unit, buyers get units for it. Throws a
 * RangeError for a price of nothing, which no reader of prices lets through.
 */
export function triggerOf(side: OrderSide, price: Rate): Rate {
  if (price.got <= 0n) throw new RangeError('orders: a price above zero');
  return side === 'sell' ? price : { got: price.given, given: price.got };
}

/** The price of one smallest unit by a trigger: the inverse of `triggerOf`. */
export function priceOf(side: OrderSide, trigger: Rate): Rate {
  return triggerOf(side, trigger);
}

/** Dollars per smallest unit that a cap names; `supply` in smallest units. Exact. */
export function priceOfCap(request: PriceRequest, supply: bigint): Rate | PlacementRefusal {
  if (request.kind !== 'cap' || request.digits <= 0n) return { kind: 'cap-invalid' };
  if (supply <= 0n) return { kind: 'supply-zero' };
  return { got: request.digits, given: supply * 10n ** BigInt(request.scale) };
}

export type PlacementRequest = {
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly isMintSol: boolean;
  /** Of the token that it would get. */
  readonly decimals: number;
  readonly toleranceBps: number;
  /** Smallest units of the mint given. */
  readonly amount: bigint;
  readonly worthLamports: bigint;
  readonly supply: bigint;
  /** Both in the unit of the trigger; null where the type has none, or where no route is known. */
  readonly trigger: Rate | null;
  /** Of a stop that names one; in the unit of the trigger. */
  readonly floor: Rate | null;
  readonly now: {
    readonly rate: Rate;
    readonly got: bigint;
    readonly impactBps: number;
    readonly depth: bigint;
  } | null;
  readonly trailingBps: number | null;
  readonly schedule: { readonly intervalMs: number; readonly rounds: number } | null;
  readonly placedAt: number;
  readonly expiresAt: number;
  /** Orders that are open already. */
  readonly open: { readonly onToken: number; readonly ofPerson: number };
};

/** The first reason against the order, or null. Safety levels are none: a stop must be possible on any token. */
export function judgePlacement(request: PlacementRequest): PlacementRefusal | null {
  return refuseAmount(request) ?? refuseTimes(request) ?? refuseCount(request) ?? refusePrice(request);
}

function refuseAmount({
  isMintSol,
  amount,
  supply,
  side,
  worthLamports,
}: PlacementRequest): PlacementRefusal | null {
  if (isMintSol) return { kind: 'mint-is-sol' };
  if (amount <= 0n || amount > MAX_U64) return { kind: 'amount-invalid' };
  if (side === 'sell' && amount > supply) return { kind: 'amount-over-supply', supply };
  const minimumLamports = PLACEMENT.minimumLamports;
  return worthLamports < minimumLamports ? { kind: 'too-small', minimumLamports } : null;
}

function refuseTimes(request: PlacementRequest): PlacementRefusal | null {
  const { schedule } = request;
  return (schedule === null ? null : refuseSchedule(request, schedule)) ?? refuseEnd(request);
}

function refuseEnd({ placedAt, expiresAt, schedule }: PlacementRequest): PlacementRefusal | null {
  const lasts = expiresAt - placedAt;
  const maxMs = Math.max(PLACEMENT.expiryMs, schedule === null ? 0 : scheduleLastsMs(schedule));
  // Written so that NaN is refused.
  return lasts > 0 && lasts <= maxMs ? null : { kind: 'expiry-out-of-range', maxMs };
}

function refuseSchedule(
  { worthLamports }: PlacementRequest,
  { intervalMs, rounds }: NonNullable<PlacementRequest['schedule']>,
): PlacementRefusal | null {
  if (!isWholeWithin(intervalMs, INTERVAL_LIMITS_MS))
    return { kind: 'interval-out-of-range', ...INTERVAL_LIMITS_MS };
  if (!isWholeWithin(rounds, ROUND_LIMITS)) return { kind: 'rounds-out-of-range', ...ROUND_LIMITS };
  const { minimumLamports } = PLACEMENT;
  return worthLamports < minimumLamports * BigInt(rounds)
    ? { kind: 'round-too-small', minimumLamports }
    : null;
}

function refuseCount({ open }: PlacementRequest): PlacementRefusal | null {
  const { perToken, perPerson } = PLACEMENT;
  if (open.ofPerson >= perPerson) return { kind: 'too-many-orders', max: perPerson, per: 'person' };
  return open.onToken >= perToken ? { kind: 'too-many-orders', max: perToken, per: 'token' } : null;
}

function refusePrice(request: PlacementRequest): PlacementRefusal | null {
  const { side, type, trigger, floor, now, trailingBps, decimals } = request;
  if (!isWholeWithin(request.toleranceBps, { min: 0, max: PLACEMENT.maxToleranceBps })) {
    return { kind: 'tolerance-out-of-range', maxBps: PLACEMENT.maxToleranceBps };
  }
  const { min, max } = PLACEMENT.trailBps;
  if (type === 'TRAILING_STOP' && (trailingBps === null || !isWholeWithin(trailingBps, { min, max }))) {
    return { kind: 'trail-out-of-range', minBps: min, maxBps: max };
  }
  const direction = directionOf(type);
  if (direction !== null && type !== 'TRAILING_STOP') {
    if (trigger === null || trigger.got <= 0n || trigger.given <= 0n) return { kind: 'price-invalid' };
    if (floor !== null && compareRates(floor, trigger) > 0) return { kind: 'floor-above-trigger' };
    if (now !== null && isTrue(direction, trigger, now.rate))
      return { kind: 'already-true', side, decimals, wouldGet: now.got };
  }
  const maxBps = PLACEMENT.maxBuyImpactBps;
  return side === 'buy' && now !== null && now.impactBps > maxBps
    ? { kind: 'impact-too-high', impactBps: now.impactBps, maxBps }
    : null;
}

/** Facts that the person should know before it is placed; none of them is a reason against it. */
export function placementWarnings({
  amount,
  now,
  trailingBps,
}: PlacementRequest): readonly PlacementWarning[] {
  if (now === null) return [];
  const { impactBps, depth } = now;
  const found: PlacementWarning[] = [];
  if (impactBps > PLACEMENT.warnImpactBps) found.push({ kind: 'impact', impactBps });
  const share = depth <= 0n ? 10_000n : (amount * 10_000n) / depth;
  if (share > BigInt(PLACEMENT.warnDepthBps)) found.push({ kind: 'depth-share', bps: Number(share) });
  if (trailingBps !== null && trailingBps < 2 * impactBps)
    found.push({ kind: 'trail-within-impact', impactBps });
  return found;
}

/** Legs of one group. Take-profits share the whole at most; each lies above every stop, in the same unit. Of each event there is one. */
export function judgeLegs(
  legs: readonly {
    readonly type: OrderType;
    readonly unit: PriceUnit;
    readonly shareBps: number | null;
    readonly trigger: Rate | null;
  }[],
): PlacementRefusal | null {
  if (legs.length === 0) return { kind: 'legs-invalid', reason: 'none' };
  if (legs.length > PLACEMENT.legs) return { kind: 'legs-invalid', reason: 'too-many' };
  const gains = legs.filter(({ type }) => directionOf(type) === 'RISE');
  const isShare = ({ shareBps }: (typeof legs)[number]): boolean =>
    shareBps === null || isWholeWithin(shareBps, { min: 1, max: 10_000 });
  const shared = gains.reduce((sum, { shareBps }) => sum + (shareBps ?? 0), 0);
  if (!legs.every(isShare) || shared > 10_000) return { kind: 'legs-invalid', reason: 'shares-over-whole' };
  if (legs.some(({ type }, index) => isEventType(type) && legs.findIndex((one) => one.type === type) < index))
    return { kind: 'legs-invalid', reason: 'event-twice' };
  const isCrossed = gains.some((gain) =>
    legs.some(
      ({ type, unit, trigger }) =>
        directionOf(type) === 'FALL' &&
        unit === gain.unit &&
        trigger !== null &&
        gain.trigger !== null &&
        isTrue('FALL', trigger, gain.trigger),
    ),
  );
  return isCrossed ? { kind: 'legs-invalid', reason: 'take-profit-below-stop' } : null;
}

function isWholeWithin(value: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

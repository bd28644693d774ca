import { type Address, isAddress, MAX_U64 } from '@tradepost/solana';
import { bps } from '../../../core/amounts/bps.ts';
import { isRecord } from '../../../core/records.ts';
import { base32 } from '../../../core/time/ulid.ts';
import { isSameValue } from '../../../engine/intents/rules/confirmation.ts';
import { defaultFloor } from '../../orders/rules/fire-terms.ts';
import type { OrderAmount } from '../../orders/rules/order.ts';
import { type OrderFacts, orderFacts } from '../../orders/rules/order-facts.ts';
import { PLACEMENT } from '../../orders/rules/placement.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { holdMsOfType } from '../../orders/rules/trigger.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { IDEMPOTENCY_KEY, PRIORITIES } from './keyed-trade.ts';
import type { KeyTerms, PersonalKey } from './personal-key.ts';

/** The kinds of orders that a program may place. Each waits for one price, in SOL: the signer knows no dollars. */
export const KEYED_ORDER_TYPES = ['LIMIT', 'TAKE_PROFIT', 'STOP_LOSS'] as const;
export type KeyedOrderType = (typeof KEYED_ORDER_TYPES)[number];

/** A standing order as a program asks for it: the body of its signed request. Amounts in smallest units. */
export type KeyedOrder = {
  readonly side: 'buy' | 'sell';
  /** `LIMIT` buys or sells; the others sell. */
  readonly type: KeyedOrderType;
  readonly mint: Address;
  /** `fixed`: lamports of a purchase, units of a sale. `share`: of the units held when it fires; not of a `LIMIT`. */
  readonly amount: Extract<OrderAmount, { readonly kind: 'fixed' | 'share' }>;
  /** Units got for units given, at which it fires: as good or better, and of a stop as bad or worse. */
  readonly trigger: Rate;
  /** Of a stop: it never sells below. Null for the others, which have their trigger. */
  readonly floor: Rate | null;
  /** How much worse than its trigger it may end; 0 of a stop. */
  readonly toleranceBps: number;
  /** Whether a part of it may be bought or sold. */
  readonly partial: boolean;
  /** Codes of warnings of the bought token that do not pause it. */
  readonly acceptedWarnings: readonly string[];
  readonly priority: PriorityTier;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** One order for each: the signature covers it, as it covers every part of the body. */
  readonly idempotencyKey: string;
};

/** Where orders are asked for; a signature for another path, method or query is none of an order. */
export const ORDER_REQUEST = { method: 'POST', path: '/desk/orders', query: '?' } as const;

/** Of the place keys of programs. No idempotency key of a trade is counted under one. */
const KEYED_ORDER_PREFIX = 'pkey-order:';

/** The place key of a request. */
export const keyedPlaceKey = (keyId: string, idempotencyKey: string): string =>
  `${KEYED_ORDER_PREFIX}${keyId}:${idempotencyKey}`;

/**
 * The id of the order of a place key, by the key's SHA-256. It is the same for every request with this idempotency key, so a repeat can
 * make no second order. It has the form of a ULID, and says no time.
 */
export function keyedOrderId(sha256: Uint8Array): string {
  const value = sha256.slice(0, 16).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return base32(value, 26);
}

/** What the child of a fire is quoted with; its trigger or its floor bounds it. */
export const KEYED_SLIPPAGE_BPS = 500;

export const WARNING_CODE = /^[A-Z][A-Z0-9_]{1,47}$/;
export const MOST_WARNINGS = 20;
/** A moment in UTC, as `Date.prototype.toISOString` writes it; the milliseconds may be left out. */
export const MOMENT = /^20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

type Json = Readonly<Record<string, unknown>>;

const FIELDS: ReadonlySet<string> = new Set<Exclude<keyof KeyedOrder, 'amount'> | 'amount' | 'shareBps'>([
  'side',
  'type',
  'mint',
  'amount',
  'shareBps',
  'trigger',
  'floor',
  'toleranceBps',
  'partial',
  'acceptedWarnings',
  'priority',
  'expiresAt',
  'idempotencyKey',
]);

/** The order that the bytes of a body ask for; null where they are no such request, or hold a field more. `null` of a field is its absence. */
export function readKeyedOrder(body: string): KeyedOrder | null {
  const given = jsonOf(body);
  if (given === null || Object.keys(given).some((field) => !FIELDS.has(field))) return null;
  const { side, mint, idempotencyKey } = given;
  const type = KEYED_ORDER_TYPES.find((one) => one === given['type']);
  if (type === undefined || (side !== 'buy' && side !== 'sell')) return null;
  if (side === 'buy' && type !== 'LIMIT') return null;
  if (typeof mint !== 'string' || !isAddress(mint)) return null;
  if (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY.test(idempotencyKey)) return null;
  const amount = amountOf(given, type);
  const trigger = rateOf(given['trigger']);
  const priority = PRIORITIES.find((tier) => tier === (given['priority'] ?? 'normal'));
  const expiresAt = momentOf(given['expiresAt']);
  const more = type === 'STOP_LOSS' ? stopTerms(given, trigger) : risingTerms(given);
  const acceptedWarnings = warningsOf(given['acceptedWarnings'] ?? []);
  if (amount === null || trigger === null || priority === undefined || expiresAt === null) return null;
  if (more === null || acceptedWarnings === null) return null;
  return {
    side,
    type,
    mint,
    amount,
    trigger,
    ...more,
    acceptedWarnings,
    priority,
    expiresAt,
    idempotencyKey,
  };
}

function jsonOf(body: string): Json | null {
  try {
    const given: unknown = JSON.parse(body);
    return isRecord(given) ? given : null;
  } catch {
    return null;
  }
}

/** One of both: `amount` in units, or `shareBps` of the holding. */
function amountOf({ amount, shareBps }: Json, type: KeyedOrderType): KeyedOrder['amount'] | null {
  const [units, share] = [amount ?? null, shareBps ?? null];
  if ((units === null) === (share === null)) return null;
  if (share === null) {
    const fixed = unitsOf(units);
    return fixed === null ? null : { kind: 'fixed', units: fixed };
  }
  return type !== 'LIMIT' && isWhole(share, 1, 10_000) ? { kind: 'share', bps: share } : null;
}

type TypeTerms = Pick<KeyedOrder, 'floor' | 'toleranceBps' | 'partial'>;

/** A stop sells at the price of its time, whole, and never below its floor. */
function stopTerms(given: Json, trigger: Rate | null): TypeTerms | null {
  if ((given['toleranceBps'] ?? null) !== null || (given['partial'] ?? null) !== null) return null;
  const asked = given['floor'] ?? null;
  const floor = asked === null ? trigger && defaultFloor(trigger) : rateOf(asked);
  return floor === null ? null : { floor, toleranceBps: 0, partial: false };
}

function risingTerms(given: Json): TypeTerms | null {
  const toleranceBps = given['toleranceBps'] ?? 0;
  const partial = given['partial'] ?? false;
  if ((given['floor'] ?? null) !== null || typeof partial !== 'boolean') return null;
  if (!isWhole(toleranceBps, 0, PLACEMENT.maxToleranceBps)) return null;
  return { floor: null, toleranceBps, partial };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function rateOf(given: unknown): Rate | null {
  if (!isRecord(given) || Object.keys(given).length !== 2) return null;
  const [got, units] = [unitsOf(given['got']), unitsOf(given['given'])];
  return got === null || units === null ? null : { got, given: units };
}

function unitsOf(given: unknown): bigint | null {
  if (typeof given !== 'string' || !/^[1-9]\d{0,19}$/.test(given)) return null;
  const units = BigInt(given);
  return units <= MAX_U64 ? units : null;
}

function warningsOf(given: unknown): readonly string[] | null {
  if (!Array.isArray(given) || given.length > MOST_WARNINGS) return null;
  const codes = given.filter((code): code is string => typeof code === 'string' && WARNING_CODE.test(code));
  return codes.length === given.length ? codes : null;
}

/** Epoch milliseconds; null for a text that names no moment. */
export function momentOf(given: unknown): number | null {
  if (typeof given !== 'string' || !MOMENT.test(given)) return null;
  const at = Date.parse(given);
  // A 31st of February is read as a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given.slice(0, 19)) ? at : null;
}

/** What a request counts for the caps of its key, in lamports: the whole purchase, when it is placed. */
export const countedOfOrder = ({ side, amount }: Pick<KeyedOrder, 'side' | 'amount'>): bigint =>
  side === 'buy' && amount.kind === 'fixed' ? amount.units : 0n;

/** The bound of a key that an order passes by itself; null where it passes none. */
export function orderMisfit(
  { tokens, orderLamports }: Pick<KeyTerms, 'tokens' | 'orderLamports'>,
  order: Pick<KeyedOrder, 'side' | 'mint' | 'amount'>,
): 'token' | 'order-cap' | null {
  if (tokens !== null && !tokens.includes(order.mint)) return 'token';
  return countedOfOrder(order) > orderLamports ? 'order-cap' : null;
}

/**
 * All facts of the order that a request asks for: its person agreed to these. `depthLamports` alone is not the
 * request's: it can pause a purchase, and allows nothing.
 */
export function factsOf(
  order: KeyedOrder,
  {
    id,
    key,
    depthLamports,
  }: {
    readonly id: string;
    readonly key: Pick<PersonalKey, 'id' | 'userId' | 'walletId' | 'lockEpoch'>;
    readonly depthLamports: bigint | null;
  },
): OrderFacts {
  const { side, type, mint, amount, trigger, floor, toleranceBps, partial, priority, expiresAt } = order;
  const { userId, walletId, lockEpoch } = key;
  return {
    id,
    userId,
    walletId,
    mint,
    side,
    type,
    amount,
    unit: 'SOL',
    trigger,
    holdMs: holdMsOfType(type, 'normal'),
    partial,
    terms: {
      request: '',
      toleranceBps,
      slippageBps: bps(KEYED_SLIPPAGE_BPS),
      tier: priority,
      floor,
      trailing: null,
      schedule: null,
      sellsOnExpiry: false,
      accepted: order.acceptedWarnings,
      supply: null,
      depthLamports,
      // No person typed a PIN for it.
      grants: null,
      program: { keyId: key.id, lockEpoch },
    },
    expiresAt,
  };
}

/** Whether these facts are the very order of the request, placed by this key. */
export function isOrderOf(
  given: OrderFacts,
  order: KeyedOrder,
  by: Omit<Parameters<typeof factsOf>[1], 'depthLamports'>,
): boolean {
  const { depthLamports } = given.terms;
  const isDepth = depthLamports === null || (typeof depthLamports === 'bigint' && depthLamports >= 0n);
  return isDepth && isSameValue(orderFacts(given), factsOf(order, { ...by, depthLamports }));
}

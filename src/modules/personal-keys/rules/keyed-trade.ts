import { type Address, isAddress, MAX_U64 } from '@tradepost/solana';
import { isRecord } from '../../../core/records.ts';
import { hasLegs, orderOf, rulesOf, tipOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import { KEYED_PREFIX } from './key-use.ts';
import type { KeyTerms } from './personal-key.ts';

/** A purchase or a sale as a program asks for it: the body of its signed request. Amounts in smallest units. */
export type KeyedTrade = {
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  /** Lamports of a purchase, units of a sale. */
  readonly amount: bigint;
  /** The least that may arrive: units of a purchase, lamports of a sale. */
  readonly minReceived: bigint;
  readonly priority: PriorityTier;
  /** One trade for each: the signature covers it, as it covers every part of the body. */
  readonly idempotencyKey: string;
};

/** The parts of a signed request that its receiver does not know by itself. */
export type SignedText = {
  readonly signatureInput: string;
  readonly signature: string;
  readonly body: Uint8Array;
};

/** Where trades are asked for; a signature for another path, method or query is none of a trade. */
export const TRADE_REQUEST = { method: 'POST', path: '/desk/trades', query: '?' } as const;

/** The key of the intent of a request. */
export const keyedKey = (keyId: string, idempotencyKey: string): string =>
  `${KEYED_PREFIX}${keyId}:${idempotencyKey}`;

/** Bytes of the body of a trade at most. */
export const MOST_TRADE_BYTES = 2_048;

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,64}$/;
export const PRIORITIES = ['economy', 'normal', 'fast', 'turbo'] as const satisfies readonly PriorityTier[];
const FIELDS: ReadonlySet<string> = new Set<keyof KeyedTrade>([
  'side',
  'mint',
  'amount',
  'minReceived',
  'priority',
  'idempotencyKey',
]);

/** The trade that the bytes of a body ask for; null where they are no such request, or hold a field more. `null` of a field is its absence. */
export function readKeyedTrade(body: string): KeyedTrade | null {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isRecord(given) || Object.keys(given).some((field) => !FIELDS.has(field))) return null;
  const { side, mint, idempotencyKey } = given;
  const priority = PRIORITIES.find((tier) => tier === (given['priority'] ?? 'normal'));
  const [amount, minReceived] = [unitsOf(given['amount']), unitsOf(given['minReceived'])];
  if (side !== 'buy' && side !== 'sell') return null;
  if (typeof mint !== 'string' || !isAddress(mint)) return null;
  if (amount === null || minReceived === null || priority === undefined) return null;
  if (typeof idempotencyKey !== 'string' || !IDEMPOTENCY_KEY.test(idempotencyKey)) return null;
  return { side, mint, amount, minReceived, priority, idempotencyKey };
}

function unitsOf(given: unknown): bigint | null {
  if (typeof given !== 'string' || !/^[1-9]\d{0,19}$/.test(given)) return null;
  const units = BigInt(given);
  return units <= MAX_U64 ? units : null;
}

/** The bound of a key that a request passes by itself; null where it passes none. */
export function termMisfit(
  { tokens, orderLamports }: Pick<KeyTerms, 'tokens' | 'orderLamports'>,
  { side, mint, amount }: Pick<KeyedTrade, 'side' | 'mint' | 'amount'>,
): 'token' | 'order-cap' | null {
  if (tokens !== null && !tokens.includes(mint)) return 'token';
  return side === 'buy' && amount > orderLamports ? 'order-cap' : null;
}

/** What a request counts for the caps of its key, in lamports. */
export const countedOf = ({ side, amount }: Pick<KeyedTrade, 'side' | 'amount'>): bigint =>
  side === 'buy' ? amount : 0n;

/**
 * Whether an intent is this very trade: the same side, token, amount and priority, and at least as much arrives. No tip, no order and no
 * sale beside it: the request says nothing of them.
 */
export function isTradeOf({ params }: Pick<Intent, 'params'>, trade: KeyedTrade): boolean {
  const agreed = tradeOf(params);
  if (agreed === null) return false;
  const { terms } = agreed;
  return (
    tipOf(params) === undefined &&
    orderOf(params) === null &&
    !hasLegs(params) &&
    agreed.side === trade.side &&
    agreed.mint === trade.mint &&
    agreed.amountIn === trade.amount &&
    terms.amountIn === trade.amount &&
    terms.minOut >= trade.minReceived &&
    rulesOf(params.kind).policy.tierOf(params) === trade.priority
  );
}

import { hasCode } from '../../../core/errors/app-error.ts';
import type { PlacementRefusal } from '../../../core/errors/details.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import type { ApiCode } from '../../../platform/http/errors/catalogue.ts';
import type { KeyOrder } from '../use/place-by-key.ts';
import { refusedOutcome, refusedTrade, TRADE_REFUSALS } from './trade-refusals.ts';

type Refusal = {
  readonly status: 400 | 403 | 409 | 500;
  readonly code: ApiCode;
  readonly message: string;
  readonly field?: string;
  readonly retryable?: boolean;
};

/** The codes of these refusals. */
export const ORDER_REFUSALS = [
  ...TRADE_REFUSALS,
  'ORDER_REFUSED',
  'TRIGGER_INVALID',
  'TOO_MANY_ORDERS',
  'TIME_INVALID',
  'AMOUNT_INVALID',
  'SLIPPAGE_OUT_OF_RANGE',
] as const satisfies readonly ApiCode[];

/** The refusal of an outcome of `placeByKey` that is no order. */
export function refusedOrder(outcome: Exclude<KeyOrder, { readonly kind: 'order' }>): ApiError {
  if (outcome.kind === 'warned')
    return new ApiError({
      status: 400,
      code: 'ORDER_REFUSED',
      message: `the token has warnings that would pause the order: ${outcome.codes.join(', ')}; name in acceptedWarnings those that you accept`,
      field: 'acceptedWarnings',
    });
  if (outcome.kind === 'conflict')
    return new ApiError({
      status: 409,
      code: 'IDEMPOTENCY_CONFLICT',
      message: 'this idempotencyKey was used for another order; expected a new key',
      field: 'idempotencyKey',
    });
  return refusedOutcome(outcome.kind);
}

/** Throws the refusal of an error of placing, or the error itself where every route words it alike. */
export function refusedPlacing(error: unknown): never {
  if (hasCode(error, 'ORDER_REFUSED')) throw new ApiError({ ...placement(error.details), cause: error });
  if (hasCode(error, 'ACT_LIMIT'))
    throw new ApiError({
      status: 409,
      code: 'TOO_MANY_ORDERS',
      message: `the person placed ${error.details.max} orders within ${error.details.spanMs / 60_000} minutes; ask again later`,
      cause: error,
    });
  if (hasCode(error, 'BUTTON_STALE'))
    throw new ApiError({
      status: 500,
      code: 'UPSTREAM_FAILED',
      message: 'another change of the account came between; nothing happened, ask again',
      retryable: true,
      cause: error,
    });
  return refusedTrade(error);
}

const refuse = (code: ApiCode, field: string, message: string): Refusal => ({
  status: 400,
  code,
  message,
  field,
});

/** The first reason against an order, and the input that would be taken. */
function placement(refusal: PlacementRefusal): Refusal {
  switch (refusal.kind) {
    case 'already-true':
      return refuse(
        'TRIGGER_INVALID',
        'trigger',
        `it would fire at once: the amount brings ${refusal.wouldGet} now; expected a price that is not there yet`,
      );
    case 'expiry-out-of-range':
      return refuse(
        'TIME_INVALID',
        'expiresAt',
        `expected a moment from now on, at most ${refusal.maxMs / 86_400_000} days ahead`,
      );
    case 'too-small':
      return refuse(
        'AMOUNT_DUST',
        'amount',
        `expected an order worth at least ${refusal.minimumLamports} lamports`,
      );
    case 'amount-over-supply':
      return refuse('AMOUNT_INVALID', 'amount', `there are ${refusal.supply} units of the token`);
    case 'impact-too-high':
      return refuse(
        'PRICE_IMPACT_TOO_HIGH',
        'amount',
        `the purchase would move the price by ${refusal.impactBps} bps; expected at most ${refusal.maxBps}`,
      );
    case 'tolerance-out-of-range':
      return refuse('SLIPPAGE_OUT_OF_RANGE', 'toleranceBps', `expected 0 to ${refusal.maxBps}`);
    case 'too-many-orders':
    case 'price-invalid':
    case 'floor-above-trigger':
    case 'nothing-held':
    case 'no-market':
    case 'amount-invalid':
    case 'band-unit':
    case 'cap-invalid':
    case 'dev-unfollowed':
    case 'dev-unknown':
    case 'entry-unknown':
    case 'floor-unit':
    case 'interval-out-of-range':
    case 'legs-invalid':
    case 'liquidity-step':
    case 'liquidity-unknown':
    case 'mint-is-sol':
    case 'no-default':
    case 'price-ambiguous':
    case 'rhythm-invalid':
    case 'round-too-small':
    case 'rounds-out-of-range':
    case 'stop-fires':
    case 'stop-stands':
    case 'supply-zero':
    case 'trail-out-of-range':
      return fixedOf(refusal) ?? joining(refusal);
  }
}

/** Refusals that say the same for each order. */
const FIXED: Partial<Record<PlacementRefusal['kind'], readonly [ApiCode, field: string, message: string]>> = {
  'price-invalid': ['TRIGGER_INVALID', 'trigger', 'expected got and given above zero'],
  'floor-above-trigger': ['TRIGGER_INVALID', 'floor', 'expected a floor at the trigger or below it'],
  'nothing-held': ['INSUFFICIENT_TOKENS', 'mint', 'the wallet holds none of this token'],
  'no-market': ['NO_ROUTE', 'mint', 'nothing trades this token for this amount now'],
};

function fixedOf({ kind }: PlacementRefusal): Refusal | null {
  const fixed = FIXED[kind];
  return fixed === undefined ? null : refuse(...fixed);
}

/** Refusals because of other open orders: a share joins the exits of the position. */
function joining(refusal: PlacementRefusal): Refusal {
  if (refusal.kind === 'too-many-orders')
    return {
      status: 409,
      code: 'TOO_MANY_ORDERS',
      message: `the person has ${refusal.max} open orders per ${refusal.per}, which is the most; end one first`,
    };
  if (refusal.kind === 'stop-stands')
    return refuse(
      'ORDER_REFUSED',
      'type',
      `a stop of this token is open already (#${refusal.numbers.join(', #')}); end it first`,
    );
  if (refusal.kind === 'stop-fires')
    return refuse('ORDER_REFUSED', 'type', `the stop #${refusal.number} of this token sells at this moment`);
  if (refusal.kind === 'legs-invalid' && refusal.reason === 'take-profit-below-stop')
    return refuse('ORDER_REFUSED', 'trigger', 'expected take profits above the stop of this token');
  if (refusal.kind === 'legs-invalid' && refusal.reason === 'shares-over-whole')
    return refuse(
      'ORDER_REFUSED',
      'shareBps',
      'the open take profits of this token and this one share more than the whole; expected at most 10000 bps together',
    );
  return refuse('ORDER_REFUSED', 'type', `the order is not possible (${refusal.kind})`);
}

import { type AppError, hasCode, isAppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode, ErrorDetails } from '../../../core/errors/codes.ts';
import { ApiError } from '../../../platform/http/errors/api-error.ts';
import type { ApiCode } from '../../../platform/http/errors/catalogue.ts';
import type { KeyTrade } from '../use/trade-by-key.ts';

type Refusal = {
  readonly status: 400 | 401 | 403 | 409 | 500 | 503;
  readonly code: ApiCode;
  readonly message: string;
  readonly field?: string;
  readonly retryable?: boolean;
};

const forbidden = (code: ApiCode, message: string): Refusal => ({ status: 403, code, message });
const tooMuch = (code: ApiCode, message: string): Refusal => ({
  status: 400,
  code,
  message,
  field: 'amount',
});

const NOT_NOW: Refusal = {
  status: 500,
  code: 'UPSTREAM_FAILED',
  message: 'the signer cannot be asked; nothing happened, ask again',
  retryable: true,
};

const DAY_CAP = forbidden(
  'PERSONAL_KEY_CAP',
  'with its other purchases of 24 hours the key would spend more than its day allows',
);

/** By the outcome of `tradeByKey`. */
const OUTCOMES: Readonly<Record<Exclude<KeyTrade['kind'], 'trade'>, Refusal>> = {
  token: forbidden('PERSONAL_KEY_TOKEN', 'the token is not in the list of this key'),
  'order-cap': forbidden('PERSONAL_KEY_CAP', 'the amount is above the most of one purchase of this key'),
  'day-cap': DAY_CAP,
  blocked: forbidden('PIN_REQUIRED', 'this token is dangerous: it can be bought in the chat alone'),
  conflict: {
    status: 409,
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'this idempotencyKey was used for another trade; expected a new key',
    field: 'idempotencyKey',
  },
};

const REQUEST: Readonly<Record<ErrorDetails['KEY_REQUEST_REFUSED']['why'], Refusal>> = {
  time: {
    status: 401,
    code: 'REQUEST_TIME_INVALID',
    message: 'the signature ended while the request was prepared; sign anew, with a later expires',
  },
  replayed: {
    status: 401,
    code: 'REQUEST_REPLAYED',
    message: 'a request with this nonce was taken already; expected a new nonce each time',
  },
  ended: forbidden('PERSONAL_KEY_ENDED', 'this key has ended, or trades were locked since it was added'),
  'day-cap': DAY_CAP,
};

/** The refusal of a domain's error that a trade of a program meets and a swap of the open host does not; null for any other. */
function refusalOf(error: AppError): Refusal | null {
  if (hasCode(error, 'TRADE_PIN'))
    return forbidden(
      'PIN_REQUIRED',
      `the chat would ask the person for the PIN here (${error.details.reasons.join(', ')}), and a key has none; trade in the chat`,
    );
  if (hasCode(error, 'SPENDING_LIMIT'))
    return forbidden(
      'SPENDING_LIMIT',
      `the person may spend ${error.details.available} of ${error.details.cap} lamports more within 24 hours, network fees included`,
    );
  if (hasCode(error, 'PRICE_IMPACT_TOO_HIGH'))
    return tooMuch(
      'PRICE_IMPACT_TOO_HIGH',
      `the purchase would move the price by ${error.details.impactBps} bps; expected at most ${error.details.maxBps}`,
    );
  if (hasCode(error, 'INSUFFICIENT_TOKENS'))
    return tooMuch(
      'INSUFFICIENT_TOKENS',
      `the sale needs ${error.details.needed} units in one account, and the wallet holds ${error.details.available}`,
    );
  return hasCode(error, 'KEY_REQUEST_REFUSED') ? REQUEST[error.details.why] : (PLAIN[error.code] ?? null);
}

/** Those whose words hold no figure. */
const PLAIN: { readonly [C in ErrorCode]?: Refusal } = {
  ACCOUNT_FROZEN: forbidden('ACCOUNT_FROZEN', 'the person has frozen the account'),
  REFERRAL_REQUIRED: forbidden(
    'REFERRAL_REQUIRED',
    'trades need a referral account here; the chat makes one',
  ),
  WALLET_NOT_FOUND: REQUEST.ended,
  PAUSED: {
    status: 503,
    code: 'PAUSED',
    message: 'the operator paused trading; nothing happened, ask again later',
    retryable: true,
  },
  SIGNER_UNAVAILABLE: NOT_NOW,
  KEK_UNAVAILABLE: NOT_NOW,
  JOURNAL_FULL: NOT_NOW,
  JOURNAL_TAKEN: NOT_NOW,
};

/** The codes of these refusals. */
export const TRADE_REFUSALS = [
  'PERSONAL_KEY_TOKEN',
  'PERSONAL_KEY_CAP',
  'PERSONAL_KEY_ENDED',
  'PIN_REQUIRED',
  'SPENDING_LIMIT',
  'ACCOUNT_FROZEN',
  'REFERRAL_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'PRICE_IMPACT_TOO_HIGH',
  'INSUFFICIENT_LAMPORTS',
  'INSUFFICIENT_TOKENS',
] as const satisfies readonly ApiCode[];

export function refusedOutcome(kind: keyof typeof OUTCOMES): ApiError {
  return new ApiError(OUTCOMES[kind]);
}

/** Throws the refusal of an error, or the error itself where every route words it alike. */
export function refusedTrade(error: unknown): never {
  const refusal = isAppError(error) ? refusalOf(error) : null;
  if (refusal === null) throw error;
  throw new ApiError({ ...refusal, cause: error });
}

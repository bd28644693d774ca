import type { ErrorCode } from '../errors/codes.ts';
import type { Attempt, Intent } from './intent.ts';
import { type IntentParams, orderOf } from './params.ts';

export type RetryRule = {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  /** Landed price failures that are answered with a fresh attempt. */
  readonly priceRetries: number;
  /** How long after it became due an intent may still start an attempt: an old wish is not carried out by surprise. */
  readonly wantedForMs: number;
};

/**
 * A trade is wanted for two minutes and, after a landed slippage failure, tried once more; its builder never goes below
 * the minimum that was confirmed. A withdrawal or payout states exact amounts, so time does not change its meaning.
 */
export const RETRY_RULES: { readonly [K in IntentParams['kind']]: RetryRule } = {
  'withdraw-sol': { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 },
  'withdraw-token': { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 },
  buy: { maxAttempts: 3, priceRetries: 1, wantedForMs: 3 * 60_000 },
  sell: { maxAttempts: 3, priceRetries: 1, wantedForMs: 3 * 60_000 },
  payout: { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 },
  // Each attempt makes a mint of its own, so only a proven death lets another begin. Its price is in no market.
  'prepare-token': { maxAttempts: 3, priceRetries: 0, wantedForMs: 10 * 60_000 },
  'create-token': { maxAttempts: 3, priceRetries: 0, wantedForMs: 10 * 60_000 },
  // A market of its own that nobody else can be in before it exists: a price cannot move, a mint cannot be there twice.
  launch: { maxAttempts: 3, priceRetries: 0, wantedForMs: 10 * 60_000 },
  'revoke-authority': { maxAttempts: 5, priceRetries: 0, wantedForMs: 30 * 60_000 },
};

/** The order itself is the retry: a child that did not land at once is given up, and the order fires again on the price of then. */
const CHILD_RULE: RetryRule = { maxAttempts: 1, priceRetries: 0, wantedForMs: 20_000 };

type Wish = Pick<Intent, 'kind' | 'createdAt' | 'notBefore'> & { readonly params?: IntentParams };

function ruleOf({ kind, params }: Wish): RetryRule {
  return params === undefined || orderOf(params) === null ? RETRY_RULES[kind] : CHILD_RULE;
}

/** True while an attempt may still be started. */
export function isWanted(intent: Wish, now: number): boolean {
  const dueAt = Math.max(intent.createdAt, intent.notBefore ?? 0);
  return now - dueAt <= ruleOf(intent).wantedForMs;
}

/** After a proven death: nothing moved, so the same wish may be signed anew. */
export function mayRebuildAfterDeath(intent: Wish, attempts: readonly Attempt[], now: number): boolean {
  return attempts.length < ruleOf(intent).maxAttempts && isWanted(intent, now);
}

/** After a FINALIZED failure: only a moved price is worth another try; anything else would burn the fee again. */
export function mayRebuildAfterError(
  intent: Wish,
  attempts: readonly Attempt[],
  priceMoved: boolean,
  now: number,
): boolean {
  const rule = ruleOf(intent);
  const failures = attempts.filter((attempt) => attempt.status === 'LANDED_ERR').length;
  return (
    priceMoved && failures <= rule.priceRetries && attempts.length < rule.maxAttempts && isWanted(intent, now)
  );
}

/**
 * Whether a landed failure says that the price moved. Programs name it in their logs; the codes behind the names differ
 * from program to program. A hostile token could print such a word too: all it gains is one more try within the terms.
 */
export function isPriceFailure(logs: readonly string[]): boolean {
  return logs.some((line) =>
    /slippage|TooLittleOutput|TooMuchInput|TooLittleSolReceived|TooMuchSolRequired|AmountOutBelowMinimum|InsufficientOutputAmount|AmountInAboveMaximum/i.test(
      line,
    ),
  );
}

/** Refusals that time may cure: nothing was signed, so the step is simply tried again while the wish stands. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CHAIN_UNREACHABLE',
  'VENUES_UNREACHABLE',
  'DATABASE_UNREACHABLE',
  'QUEUE_UNREACHABLE',
  'KEK_UNAVAILABLE',
  'SIGNER_UNAVAILABLE',
  'SIGNING_PAUSED',
]);

export function isPassing(code: ErrorCode): boolean {
  return PASSING.has(code);
}

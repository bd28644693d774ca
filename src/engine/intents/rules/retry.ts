import type { ErrorCode } from '../../../core/errors/codes.ts';
import { DATABASE_DOWN } from '../../../core/errors/database-down.ts';
import type { RetryRule } from '../kinds/kind.ts';
import type { IntentParams } from '../kinds/params.ts';
import { orderOf, rulesOf, tradeOf } from '../kinds/rules.ts';
import type { Attempt, Intent } from './intent.ts';

/** The order itself is the retry: a child that did not land at once is given up, and the order fires again on the price of then. */
const CHILD_RULE: RetryRule = { maxAttempts: 1, priceRetries: 0, wantedForMs: 20_000 };

type Request = Pick<Intent, 'kind' | 'createdAt' | 'notBefore'> & { readonly params?: IntentParams };

function ruleOf({ kind, params }: Request): RetryRule {
  return params === undefined || orderOf(params) === null ? rulesOf(kind).retry : CHILD_RULE;
}

/** True while an attempt may still be started. */
export function isWanted(intent: Request, now: number): boolean {
  const dueAt = Math.max(intent.createdAt, intent.notBefore ?? 0);
  return now <= dueAt + ruleOf(intent).wantedForMs;
}

/** After a proven death: nothing moved, so the same request may be signed anew. */
export function mayRebuildAfterDeath(intent: Request, attempts: readonly Attempt[], now: number): boolean {
  return attempts.length < ruleOf(intent).maxAttempts && isWanted(intent, now);
}

/** After a FINALIZED failure: only a moved price is worth another try; anything else would burn the fee again. */
export function mayRebuildAfterError(
  intent: Request,
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

/** Source of truth: spl-token `TokenError::NonNativeHasBalance`. */
const NOT_EMPTY = /"Custom":\s*11\b/;

/**
 * Whether a landed failure says that the same request may be tried once more: the price moved, or units came into the account that
 * the first attempt of a sale was to empty and close. A further attempt closes nothing. A program that fails with that number by
 * itself gains one more try within the terms.
 */
export function isWorthAnother(
  { params }: { readonly params: IntentParams },
  { n }: Pick<Attempt, 'n'>,
  { err, logs }: { readonly err: string | null; readonly logs: readonly string[] },
): boolean {
  if (isPriceFailure(logs)) return true;
  return n === 1 && tradeOf(params)?.side === 'sell' && err !== null && NOT_EMPTY.test(err);
}

/** Refusals that time may cure: nothing was signed, so the step is simply tried again while the request is valid. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CHAIN_UNREACHABLE',
  'SEARCHING',
  'VENUES_UNREACHABLE',
  ...DATABASE_DOWN,
  'DATABASE_REPLICA_ASYNC',
  'COMMIT_NOT_REPLICATED',
  'CLOCK_OFF',
  'QUEUE_UNREACHABLE',
  'KEK_UNAVAILABLE',
  'SIGNER_UNAVAILABLE',
  'SIGNING_PAUSED',
  'JOURNAL_FULL',
  'JOURNAL_TAKEN',
  'DATABASE_FORGETFUL',
  'SIGNING_FENCED',
  'ATTEMPT_UNDECIDED',
]);

export function isPassing(code: ErrorCode): boolean {
  return PASSING.has(code);
}

import { z } from 'zod';
import type { Words } from '../../../compose/texts/words.ts';
import type { ErrorDetails } from '../../../core/errors/codes.ts';
import { isErrorCode, wordsOfCode } from '../../../platform/telegram/errors.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import type { Attempt, Intent, IntentOutcome, LandedReceipt } from '../rules/intent.ts';
import { LATE_SENDS } from '../rules/pace.ts';

/** The state of an intent, in the only words that a person sees. Derived from its rows; nothing else decides. */
export type Standing =
  | { readonly kind: 'preparing' }
  /** Written down, not due before then, and nothing is signed yet. */
  | { readonly kind: 'waiting'; readonly until: number }
  /** `isLate`: sent again and again for some ten seconds, or signed anew, and no block shows it. */
  | {
      readonly kind: 'sent';
      readonly signature: string;
      readonly isLate: boolean;
      /** The last height at which a block may hold it. */
      readonly diesAfter: bigint;
    }
  /** It worked: voted for, or final. The receipt is null while no endpoint serves the transaction. */
  | {
      readonly kind: 'done';
      readonly final: boolean;
      readonly signature: string;
      readonly receipt: LandedReceipt | null;
    }
  /** On chain with an error: only the fee is gone. */
  | {
      readonly kind: 'landed-error';
      readonly final: boolean;
      readonly priceMoved: boolean;
      readonly signature: string;
      readonly feeLamports: bigint | null;
      /** The chain's error, as JSON. */
      readonly reason: string | null;
    }
  /** Nothing was signed, or the signed attempt is proven dead. `code` null = it expired. */
  | { readonly kind: 'not-done'; readonly code: string | null; readonly details: unknown }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unknown'; readonly signature: string | null };

/** `seen` is the content of a notice of the confirmed state: the outcome is written to the intent only when it is final. */
export function standingOf(
  intent: Intent,
  attempts: readonly Attempt[],
  seen: { readonly signature: string | null; readonly outcome: IntentOutcome | null } | null,
): Standing {
  const last = attempts.at(-1) ?? null;
  const signature = intent.outcome?.receipt?.signature ?? last?.signature ?? '';
  switch (intent.status) {
    case 'CREATED':
      return intent.notBefore === null ? { kind: 'preparing' } : { kind: 'waiting', until: intent.notBefore };
    case 'ACTIVE':
      return activeStanding(last, seen);
    case 'SUCCEEDED':
      return { kind: 'done', final: true, signature, receipt: intent.outcome?.receipt ?? null };
    case 'FAILED':
      return landedError(intent.outcome, signature, true);
    case 'REJECTED':
    case 'EXPIRED':
      return {
        kind: 'not-done',
        code: intent.outcome?.reason ?? null,
        details: intent.outcome?.details ?? null,
      };
    case 'CANCELLED':
      return { kind: 'cancelled' };
    case 'NEEDS_REVIEW':
      return { kind: 'unknown', signature: last?.signature ?? null };
  }
}

function activeStanding(
  last: Attempt | null,
  seen: { readonly signature: string | null; readonly outcome: IntentOutcome | null } | null,
): Standing {
  if (last === null || last.status === 'DEAD' || last.status === 'LANDED_ERR') return { kind: 'preparing' };
  if (last.status === 'UNKNOWN') return { kind: 'unknown', signature: last.signature };
  if (last.status === 'CONFIRMED' || last.status === 'FINALIZED') {
    // A notice about an earlier attempt says nothing about this one.
    const outcome = seen?.signature === last.signature ? seen.outcome : null;
    if (last.chainError !== null) return landedError(outcome, last.signature, false);
    return { kind: 'done', final: false, signature: last.signature, receipt: outcome?.receipt ?? null };
  }
  if (last.sendCount === 0) return { kind: 'preparing' };
  return {
    kind: 'sent',
    signature: last.signature,
    isLate: last.n > 1 || last.sendCount >= LATE_SENDS,
    diesAfter: last.lastValidBlockHeight,
  };
}

function landedError(outcome: IntentOutcome | null, signature: string, final: boolean): Standing {
  const details = outcome?.details;
  const priceMoved =
    typeof details === 'object' && details !== null && 'priceMoved' in details && details.priceMoved === true;
  return {
    kind: 'landed-error',
    final,
    priceMoved,
    signature,
    feeLamports: outcome?.receipt?.feeLamports ?? null,
    reason: outcome?.reason ?? null,
  };
}

/** The scale of an error's amounts, which was written down with them. */
const SCALE = z.object({ numerator: z.coerce.bigint(), denominator: z.coerce.bigint() });

const AMOUNT_FIELDS = new Set([
  'lamports',
  'needed',
  'available',
  'amount',
  'fees',
  'left',
  'minimum',
  'maxAmount',
  'most',
  'together',
  'wouldHold',
  'minOut',
  'got',
]);

/** The sentence for a refusal that was written down as JSON; a general one when the record is not as expected. */
export function refusalSentence(words: Words, code: string, details: unknown): Html {
  if (!isErrorCode(code)) return words.html('err.simulation');
  const revived =
    typeof details === 'object' && details !== null
      ? Object.fromEntries(
          Object.entries(details).map(([key, value]) => [
            key,
            key === 'uiScale'
              ? SCALE.safeParse(value).data
              : AMOUNT_FIELDS.has(key) && typeof value === 'string' && /^-?\d+$/.test(value)
                ? BigInt(value)
                : value,
          ]),
        )
      : {};
  try {
    return wordsOfCode(code, revived as ErrorDetails[typeof code], words);
  } catch {
    return words.html('err.simulation');
  }
}

/** Whether the price failed the trade for good: on the chain, or before anything was signed. */
export function failedByPrice(standing: Standing): boolean {
  if (standing.kind === 'landed-error') return standing.final && standing.priceMoved;
  return standing.kind === 'not-done' && standing.code === 'PRICE_MOVED';
}

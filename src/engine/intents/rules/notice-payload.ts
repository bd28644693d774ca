import type { Address } from '@tradepost/solana';
import type { IntentOutcome, IntentStatus } from './intent.ts';
import { jsonReader } from './json-reader.ts';
import { decodeOutcome, decodeTerms, encodeOutcome, encodeTerms } from './notice-parts.ts';
import type { TradeTerms } from './terms.ts';

/**
 * The content of a notice of kind `progress`, `confirmed` or `final`, so that a message can be written from it alone. `progress`: bytes are
 * on their way, no result. `confirmed`: the result as voted for, `outcome.reason` null = it worked. `final`: the intent's last status.
 */
export type IntentNotice = {
  readonly status: IntentStatus;
  readonly signature: string | null;
  /** Which attempt this is about; 0 before the first. */
  readonly attempt: number;
  readonly lastValidBlockHeight: bigint | null;
  readonly sentAt: number | null;
  /** Terms of the attempt: a re-quote may have bettered the confirmed ones. */
  readonly terms: TradeTerms | null;
  readonly outcome: IntentOutcome | null;
};

export function encodeIntentNotice(notice: IntentNotice): unknown {
  return {
    status: notice.status,
    signature: notice.signature,
    attempt: notice.attempt,
    lastValidBlockHeight: notice.lastValidBlockHeight?.toString() ?? null,
    sentAt: notice.sentAt,
    terms: notice.terms === null ? null : encodeTerms(notice.terms),
    outcome: notice.outcome === null ? null : encodeOutcome(notice.outcome),
  };
}

const STATUSES: readonly IntentStatus[] = [
  'CREATED',
  'ACTIVE',
  'SUCCEEDED',
  'FAILED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'NEEDS_REVIEW',
];

/** Throws CorruptRowError when the payload is not one that `encodeIntentNotice` made. */
export function decodeIntentNotice(payload: unknown): IntentNotice {
  const read = jsonReader(payload, 'notice');
  return {
    status: read.oneOf('status', STATUSES),
    signature: read.textOrNull('signature'),
    attempt: read.integer('attempt'),
    lastValidBlockHeight:
      read.raw('lastValidBlockHeight') === null ? null : read.amount('lastValidBlockHeight'),
    sentAt: read.integerOrNull('sentAt'),
    terms: read.raw('terms') === null ? null : decodeTerms(read.raw('terms')),
    outcome: read.raw('outcome') === null ? null : decodeOutcome(read.raw('outcome')),
  };
}

/** Payload of a `reward-paid` notice. */
export type RewardPaidNotice = {
  readonly lamports: bigint;
  readonly signature: string;
  /** Its source; `several` also in notices from before the sources were distinguished. */
  readonly source: 'referral' | 'rebate' | 'conversion' | 'several';
};

const SOURCES = ['referral', 'rebate', 'conversion', 'several'] as const;

export function encodeRewardPaid(notice: RewardPaidNotice): unknown {
  return { lamports: notice.lamports.toString(), signature: notice.signature, source: notice.source };
}

export function decodeRewardPaid(payload: unknown): RewardPaidNotice {
  const read = jsonReader(payload, 'notice');
  const source = read.raw('source');
  return {
    lamports: read.amount('lamports'),
    signature: read.text('signature'),
    source: SOURCES.find((known) => known === source) ?? 'several',
  };
}

/** Payload of a `revoke-reminder` notice. */
export type RevokeReminderNotice = { readonly mint: Address };

export const encodeRevokeReminder = (notice: RevokeReminderNotice): unknown => ({ mint: notice.mint });

export function decodeRevokeReminder(payload: unknown): RevokeReminderNotice {
  return { mint: jsonReader(payload, 'notice').address('mint') };
}

/** Payload of `convert-open` (only the period is shown) and `convert-ended`; `lamports` 0 = the points were given back. */
export type ConvertNotice = { readonly period: number; readonly points: bigint; readonly lamports: bigint };

export const encodeConvert = ({ period, points, lamports }: ConvertNotice): unknown => ({
  period,
  points: points.toString(),
  lamports: lamports.toString(),
});

export function decodeConvert(payload: unknown): ConvertNotice {
  const read = jsonReader(payload, 'notice');
  return { period: read.integer('period'), points: read.amount('points'), lamports: read.amount('lamports') };
}

/** Payload of a `graduated` notice. */
export type GraduatedNotice = { readonly mint: string; readonly symbol: string; readonly pad: string };

export function encodeGraduated(notice: GraduatedNotice): unknown {
  return { ...notice };
}

export function decodeGraduated(payload: unknown): GraduatedNotice {
  const read = jsonReader(payload, 'notice');
  return { mint: read.text('mint'), symbol: read.text('symbol'), pad: read.text('pad') };
}

import { z } from 'zod';
import { mapValues } from '../../../core/records.ts';
import type { IntentStatus } from '../../../engine/intents/rules/intent.ts';
import type { Notice } from '../../../engine/notices/store-port.ts';
import { COPY_EVENTS } from '../../../modules/copying/rules/copy-notice.ts';
import { GUARD_ACTS } from '../../../modules/guard/rules/acts.ts';
import { EXPORT_EVENTS } from '../../../modules/guard/rules/export-notice.ts';
import { LISTS } from '../../../modules/launches/rules/launch-alert.ts';
import { ORDER_EVENTS } from '../../../modules/orders/rules/order-notice.ts';
import { KEY_EVENTS } from '../../../modules/personal-keys/rules/key-notice.ts';
import { WALLET_EVENTS } from '../../../modules/wallets/rules/wallet-notice.ts';
import { address, count, digits, integer, orNull, partSwitch, rate, text, time } from './fields.ts';
import { type JsonColumn, jsonColumn } from './json-column.ts';

/**
 * Payloads of notices: plain JSON with amounts in digits, as `engine/intents/rules/notice-payload.ts` writes and reads them. The schemas
 * hold its output, kind by kind.
 */

const STATUSES = [
  'CREATED',
  'ACTIVE',
  'SUCCEEDED',
  'FAILED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'NEEDS_REVIEW',
] as const satisfies readonly IntentStatus[];

const leg = z.strictObject({
  venue: text,
  pool: address,
  percent: z.int().min(0).max(100),
  fromMint: orNull(address),
  toMint: orNull(address),
  pausedBy: z.optional(partSwitch),
});
/** Before trades passed through other tokens. */
const olderLeg = leg.partial({ fromMint: true, toMint: true });

const receipt = z.strictObject({
  signature: text,
  slot: digits,
  landedAt: orNull(time),
  feeLamports: digits,
  baseFeeLamports: digits,
  priorityFeeLamports: digits,
  walletLamportsDelta: digits,
  tokenDeltas: z.array(z.strictObject({ mint: address, delta: digits })),
  rentLamports: digits,
  platformFeeLamports: digits,
  tipLamports: z.optional(digits),
  createdMint: z.optional(address),
  arrivedUnits: z.optional(digits),
});

const intentNotice = (route: z.ZodType) =>
  z.strictObject({
    status: z.enum(STATUSES),
    signature: orNull(text),
    attempt: count,
    lastValidBlockHeight: orNull(digits),
    sentAt: orNull(time),
    terms: z.nullable(
      z.strictObject({
        amountIn: digits,
        quotedOut: digits,
        minOut: digits,
        platformFeeLamports: digits,
        feeDiscountBps: z.optional(rate),
        priceImpactBps: integer,
        slippageBps: rate,
        route: z.array(route),
      }),
    ),
    outcome: z.nullable(
      z.strictObject({ reason: orNull(text), details: z.json(), receipt: z.nullable(receipt) }),
    ),
  });

const SOURCES = ['referral', 'rebate', 'conversion', 'several'] as const;
const rewardPaid = z.strictObject({ lamports: digits, signature: text, source: z.enum(SOURCES) });
const convert = z.strictObject({ period: integer, points: digits, lamports: digits });
const deposit = z.strictObject({
  walletId: text,
  mint: orNull(address),
  units: digits,
  known: z.boolean(),
  signature: text,
});
const followTrade = z.strictObject({
  followId: text,
  signature: text,
  mint: address,
  side: z.enum(['buy', 'sell']),
  at: integer,
  units: digits,
  paidMint: orNull(address),
  paidUnits: digits,
});
const launchStage = z.strictObject({ mint: address, stage: z.enum(LISTS) });
const nothing = z.strictObject({});

type Payloads = Readonly<Record<Notice['kind'], z.ZodType>>;

function payloads(ofIntent: z.ZodType, paid: z.ZodType): Payloads {
  return {
    waiting: ofIntent,
    progress: ofIntent,
    confirmed: ofIntent,
    final: ofIntent,
    'reward-paid': paid,
    'invitee-joined': nothing,
    'revoke-reminder': z.strictObject({ mint: address }),
    deposit,
    export: z.strictObject({ exportId: text, event: z.enum(EXPORT_EVENTS) }),
    guard: z.strictObject({ act: z.enum(GUARD_ACTS), until: orNull(time) }),
    wallet: z.strictObject({ walletId: text, event: z.enum(WALLET_EVENTS), was: orNull(text) }),
    order: z.strictObject({ orderId: text, event: z.enum(ORDER_EVENTS), code: orNull(text), n: count }),
    alert: z.strictObject({ alertId: text, n: count, got: digits, given: digits }),
    'alert-ended': z.strictObject({ alertId: text }),
    'follow-trade': followTrade,
    'follow-back': followTrade,
    'launch-stage': launchStage,
    'launch-back': launchStage,
    'launch-digest': z.strictObject({ count }),
    'follow-digest': z.strictObject({ followId: text, count }),
    signal: z.strictObject({
      mint: address,
      wallets: count,
      beganAt: integer,
      until: integer,
      leaders: z.array(z.strictObject({ leader: address })),
    }),
    'signal-digest': z.strictObject({ count }),
    'personal-key': z.strictObject({
      keyId: text,
      event: z.enum(KEY_EVENTS),
      trades: count,
      orders: count,
      lamports: z.string().regex(/^\d+$/),
      mint: orNull(address),
    }),
    copy: z.strictObject({
      copyId: text,
      event: z.enum(COPY_EVENTS),
      code: orNull(text),
      mint: orNull(address),
    }),
    graduated: z.strictObject({ mint: text, symbol: text, pad: text }),
    'key-request': z.strictObject({ requestId: text }),
    'key-mail-failed': z.strictObject({ mailId: text }),
    'convert-open': convert,
    'convert-ended': convert,
  };
}

const OLDER = payloads(intentNotice(olderLeg), rewardPaid.partial({ source: true }));
const NEWEST = payloads(intentNotice(leg), rewardPaid);

/** By the notice's kind, which is in a column of its own. */
export const PAYLOADS: Readonly<Record<Notice['kind'], JsonColumn<unknown>>> = mapValues(
  NEWEST,
  (payload: z.ZodType<unknown, unknown>, kind) =>
    jsonColumn<unknown>('notices.payload', [OLDER[kind], payload]),
);

import { z } from 'zod';
import type { IntentParams } from '../../../engine/intents/kinds/params.ts';
import { STORED_PARAMS } from '../../../engine/intents/kinds/rows.ts';
import type { IntentOutcome, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { Effect } from '../../../engine/intents/rules/verdict.ts';
import {
  address,
  amount,
  anything,
  change,
  count,
  exactly,
  flag,
  orAbsent,
  orNull,
  text,
  time,
} from './fields.ts';
import { jsonColumn } from './json-column.ts';
import { OLDER_TERMS, TERMS as TERMS_NOW } from './terms-json.ts';

/** Columns of intents and attempts: a signature is made from them. */

const receipt = exactly<LandedReceipt>({
  signature: text,
  slot: amount,
  landedAt: orNull(time),
  feeLamports: amount,
  baseFeeLamports: amount,
  priorityFeeLamports: amount,
  walletLamportsDelta: change,
  tokenDeltas: z.array(exactly<LandedReceipt['tokenDeltas'][number]>({ mint: address, delta: change })),
  rentLamports: change,
  platformFeeLamports: amount,
  tipLamports: orAbsent(amount),
  createdMint: orAbsent(address),
  arrivedUnits: orAbsent(change),
});
const outcome = exactly<IntentOutcome>({
  reason: orNull(text),
  details: anything,
  receipt: orNull(receipt),
});

export const PARAMS = jsonColumn<IntentParams>('intents.params', STORED_PARAMS);
export const OUTCOME = jsonColumn<IntentOutcome>('intents.outcome', [outcome, outcome]);
export const TERMS = jsonColumn<TradeTerms>('attempts.terms', [OLDER_TERMS, TERMS_NOW]);

/** A height or a slot in digits. */
const decimal = z.string().regex(/^(?:0|[1-9]\d{0,38})$/, { error: 'a whole number in digits' });

/** The result of `encodeLooks` of the death rule; kept as it is, because the rule reads its own rows. */
const deathProof = z.strictObject({
  looks: z.array(
    z.strictObject({
      endpoint: text,
      endpoints: count,
      at: time,
      finalizedHeight: decimal,
      finalizedSlot: decimal,
      statusSlot: decimal,
      firstAvailableBlock: decimal,
    }),
  ),
});

export const DEATH_PROOF = jsonColumn<unknown>('attempts.death_proof', [deathProof, deathProof]);
export const SUBMISSION_DEATH_PROOF = jsonColumn<unknown>('submissions.death_proof', [
  deathProof,
  deathProof,
]);

/** The result of `encodeLandingLooks` of the landing rule; kept as it is for the same reason. */
const landingProof = z.strictObject({
  looks: z.array(
    z.strictObject({
      endpoint: text,
      endpoints: count,
      at: time,
      slot: decimal,
      err: orNull(text),
      priceMoved: flag,
      effect: z.enum<readonly Effect[]>(['shown', 'contradicted', 'unserved']),
      sums: orNull(text),
    }),
  ),
});

export const LANDING_PROOF = jsonColumn<unknown>('attempts.landing_proof', [landingProof, landingProof]);
export const SUBMISSION_LANDING_PROOF = jsonColumn<unknown>('submissions.landing_proof', [
  landingProof,
  landingProof,
]);

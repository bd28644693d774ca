import { z } from 'zod';
import type { IntentOutcome, LandedReceipt } from '../../../core/intents/intent.ts';
import {
  type BuyParams,
  type CreateTokenParams,
  INTENT_KINDS,
  type IntentKind,
  type IntentParams,
  type LaunchFirstBuy,
  type OrderChild,
  type PayoutParams,
  type PreparedMint,
  type RouteTerm,
  type SellParams,
  type TradeTerms,
} from '../../../core/intents/params.ts';
import type { Effect } from '../../../core/intents/verdict.ts';
import { REVOCABLE_AUTHORITIES } from '../../../core/mint/instructions/revoke-authority.ts';
import type { PriorityTier } from '../../../core/users/settings.ts';
import {
  address,
  amount,
  anything,
  change,
  count,
  exactly,
  flag,
  integer,
  orAbsent,
  orMissing,
  orNull,
  partSwitch,
  rate,
  type Shape,
  text,
  time,
} from './fields.ts';
import { jsonColumn } from './json-column.ts';
import { spec, way } from './token-json.ts';

/** Columns of intents and attempts: what a signature is made from. */

type Of<K extends IntentKind> = Extract<IntentParams, { readonly kind: K }>;
type ByKind = { readonly [K in IntentKind]: z.ZodType<Of<K>, unknown> };

export const tier = z.enum<readonly PriorityTier[]>(['economy', 'normal', 'fast', 'turbo']);

/**
 * Legs that were written before a trade could pass through other tokens lack `from` and `to`: null is what they meant. A trade
 * of theirs through another token is refused by the signing policy, because its terms name none.
 */
const OLDER_LEG: Shape<RouteTerm> = {
  venue: text,
  pool: address,
  percent: z.int().min(0).max(100),
  from: orMissing(address),
  to: orMissing(address),
  pausedBy: orAbsent(partSwitch),
};
const LEG: Shape<RouteTerm> = { ...OLDER_LEG, from: orNull(address), to: orNull(address) };

function termsWith(leg: Shape<RouteTerm>): z.ZodType<TradeTerms, unknown> {
  return exactly<TradeTerms>({
    amountIn: amount,
    quotedOut: amount,
    minOut: amount,
    platformFeeLamports: amount,
    feeDiscountBps: orAbsent(rate),
    priceImpactBps: integer,
    slippageBps: rate,
    route: z.array(exactly<RouteTerm>(leg)),
  });
}

const order = orAbsent(exactly<OrderChild>({ id: text, n: count }));

const CREATION: Shape<CreateTokenParams> = {
  kind: z.literal('create-token'),
  prepared: orAbsent(exactly<PreparedMint>({ mint: address, rentLamports: amount, feeLamports: amount })),
  spec,
  way,
  uri: text,
  metadataHash: orNull(text),
  recordLamports: amount,
  mintRentLamports: amount,
  holdingRentLamports: amount,
  feeLamports: amount,
  tier,
};

function paramsWith(terms: z.ZodType<TradeTerms, unknown>): z.ZodType<IntentParams, unknown> {
  const kinds: ByKind = {
    'withdraw-sol': exactly({
      kind: z.literal('withdraw-sol'),
      destination: address,
      lamports: amount,
      everything: flag,
      tier,
    }),
    'withdraw-token': exactly({
      kind: z.literal('withdraw-token'),
      mint: address,
      tokenProgram: address,
      decimals: z.int().min(0).max(255),
      destination: address,
      amount,
      tier,
    }),
    buy: exactly<BuyParams>({
      kind: z.literal('buy'),
      mint: address,
      lamportsIn: amount,
      terms,
      tier,
      order,
      wakesOrders: orAbsent(z.literal(true)),
    }),
    sell: exactly<SellParams>({
      kind: z.literal('sell'),
      mint: address,
      amountIn: amount,
      terms,
      tier,
      order,
    }),
    payout: exactly({
      kind: z.literal('payout'),
      items: z.array(
        exactly<PayoutParams['items'][number]>({ inviterId: text, recipient: address, lamports: amount }),
      ),
    }),
    'prepare-token': exactly({
      kind: z.literal('prepare-token'),
      creation: exactly<CreateTokenParams>(CREATION),
      tier,
    }),
    'create-token': exactly(CREATION),
    'revoke-authority': exactly({
      kind: z.literal('revoke-authority'),
      mint: address,
      tokenProgram: address,
      authority: z.enum(REVOCABLE_AUTHORITIES),
      record: orNull(address),
      tier,
    }),
    launch: exactly({
      kind: z.literal('launch'),
      pad: text,
      program: orNull(address),
      config: orNull(address),
      spec,
      uri: text,
      metadataHash: orNull(text),
      firstBuy: orNull(
        exactly<LaunchFirstBuy>({
          lamports: amount,
          quotedTokens: amount,
          minTokens: amount,
          slippageBps: rate,
        }),
      ),
      costLamports: amount,
      feeLamports: amount,
      tier,
    }),
  };
  const [first, ...others] = INTENT_KINDS.map((kind) => kinds[kind]) as unknown as z.ZodObject<{
    kind: z.ZodLiteral<string>;
  }>[];
  if (first === undefined) throw new Error('there are no kinds of intents');
  return z.discriminatedUnion('kind', [first, ...others]) as unknown as z.ZodType<IntentParams, unknown>;
}

const receipt = exactly<LandedReceipt>({
  signature: text,
  slot: amount,
  landedAt: orNull(time),
  feeLamports: amount,
  baseFeeLamports: amount,
  priorityFeeLamports: amount,
  walletLamportsDelta: change,
  tokenDeltas: z.array(exactly<LandedReceipt['tokenDeltas'][number]>({ mint: address, delta: change })),
  rentLamports: amount,
  platformFeeLamports: amount,
  createdMint: orAbsent(address),
});
const outcome = exactly<IntentOutcome>({
  reason: orNull(text),
  details: anything,
  receipt: orNull(receipt),
});

const [olderTerms, terms] = [termsWith(OLDER_LEG), termsWith(LEG)];

export const PARAMS = jsonColumn<IntentParams>('intents.params', [paramsWith(olderTerms), paramsWith(terms)]);
export const OUTCOME = jsonColumn<IntentOutcome>('intents.outcome', [outcome, outcome]);
export const TERMS = jsonColumn<TradeTerms>('attempts.terms', [olderTerms, terms]);

/** What `encodeLooks` of the death rule makes; kept as it is, because the rule reads its own rows. */
const deathProof = z.strictObject({
  looks: z.array(
    z.strictObject({
      endpoint: text,
      endpoints: count,
      at: time,
      finalizedHeight: text,
      finalizedSlot: text,
      statusSlot: text,
      firstAvailableBlock: text,
    }),
  ),
}) as unknown as z.ZodType<unknown, unknown>;

export const DEATH_PROOF = jsonColumn<unknown>('attempts.death_proof', [deathProof, deathProof]);

/** What `encodeLandingLooks` of the landing rule makes; kept as it is for the same reason. */
const landingProof = z.strictObject({
  looks: z.array(
    z.strictObject({
      endpoint: text,
      endpoints: count,
      at: time,
      slot: text,
      err: orNull(text),
      priceMoved: flag,
      effect: z.enum<readonly Effect[]>(['shown', 'contradicted', 'unserved']),
      sums: orNull(text),
    }),
  ),
}) as unknown as z.ZodType<unknown, unknown>;

export const LANDING_PROOF = jsonColumn<unknown>('attempts.landing_proof', [landingProof, landingProof]);

import { assertNever } from '../errors/assert-never.ts';
import { REVOCABLE_AUTHORITIES } from '../mint/instructions/revoke-authority.ts';
import type { MetadataWay } from '../mint/token-spec.ts';
import type { PriorityTier } from '../users/settings.ts';
import type { IntentOutcome, LandedReceipt } from './intent.ts';
import { type JsonReader, jsonReader } from './json-reader.ts';
import {
  type CreateTokenParams,
  INTENT_KINDS,
  type IntentParams,
  type LaunchFirstBuy,
  type TradeTerms,
} from './params.ts';
import { decodeSpec, encodeSpec } from './token-spec-codec.ts';

/**
 * The rows of intents as plain JSON: bigints as decimal strings, nothing optional, nothing implied. Encoding is total;
 * decoding checks every field and throws CorruptRowError, because a forged or half-migrated row must stop before it is
 * signed. decode ∘ encode is the identity.
 */

type Json = Readonly<Record<string, unknown>>;

const WAYS: readonly MetadataWay[] = ['native', 'metaplex', 'none'];
const TIERS: readonly PriorityTier[] = ['economy', 'normal', 'fast', 'turbo'];

export function encodeParams(params: IntentParams): Json {
  switch (params.kind) {
    case 'withdraw-sol':
      return { ...params, lamports: params.lamports.toString() };
    case 'withdraw-token':
      return { ...params, amount: params.amount.toString() };
    case 'buy':
      return { ...params, lamportsIn: params.lamportsIn.toString(), terms: encodeTerms(params.terms) };
    case 'sell':
      return { ...params, amountIn: params.amountIn.toString(), terms: encodeTerms(params.terms) };
    case 'payout':
      return {
        kind: params.kind,
        items: params.items.map((item) => ({ ...item, lamports: item.lamports.toString() })),
      };
    case 'prepare-token':
      return { ...params, creation: encodeCreation(params.creation) };
    case 'create-token':
      return encodeCreation(params);
    case 'revoke-authority':
      return { ...params };
    case 'launch':
      return {
        ...params,
        spec: encodeSpec(params.spec),
        firstBuy:
          params.firstBuy === null
            ? null
            : {
                lamports: params.firstBuy.lamports.toString(),
                quotedTokens: params.firstBuy.quotedTokens.toString(),
                minTokens: params.firstBuy.minTokens.toString(),
                slippageBps: params.firstBuy.slippageBps,
              },
        costLamports: params.costLamports.toString(),
        feeLamports: params.feeLamports.toString(),
      };
    default:
      return assertNever(params);
  }
}

export function decodeParams(json: unknown): IntentParams {
  const read = jsonReader(json, 'params');
  const kind = read.oneOf('kind', INTENT_KINDS);
  switch (kind) {
    case 'withdraw-sol':
      return {
        kind,
        destination: read.address('destination'),
        lamports: read.amount('lamports'),
        everything: read.flag('everything'),
        tier: read.oneOf('tier', TIERS),
      };
    case 'withdraw-token':
      return {
        kind,
        mint: read.address('mint'),
        tokenProgram: read.address('tokenProgram'),
        decimals: read.integer('decimals'),
        destination: read.address('destination'),
        amount: read.amount('amount'),
        tier: read.oneOf('tier', TIERS),
      };
    case 'buy':
      return {
        kind,
        mint: read.address('mint'),
        lamportsIn: read.amount('lamportsIn'),
        terms: readTerms(read.object('terms')),
        tier: read.oneOf('tier', TIERS),
      };
    case 'sell':
      return {
        kind,
        mint: read.address('mint'),
        amountIn: read.amount('amountIn'),
        terms: readTerms(read.object('terms')),
        tier: read.oneOf('tier', TIERS),
      };
    case 'payout':
      return {
        kind,
        items: read.list('items', (item) => ({
          inviterId: item.text('inviterId'),
          recipient: item.address('recipient'),
          lamports: item.amount('lamports'),
        })),
      };
    case 'prepare-token':
      return { kind, creation: readCreation(read.object('creation')), tier: read.oneOf('tier', TIERS) };
    case 'create-token':
      return readCreation(read);
    case 'revoke-authority':
      return {
        kind,
        mint: read.address('mint'),
        tokenProgram: read.address('tokenProgram'),
        authority: read.oneOf('authority', REVOCABLE_AUTHORITIES),
        record: read.addressOrNull('record'),
        tier: read.oneOf('tier', TIERS),
      };
    case 'launch':
      return {
        kind,
        pad: read.text('pad'),
        program: read.addressOrNull('program'),
        config: read.addressOrNull('config'),
        spec: decodeSpec(read.object('spec')),
        uri: read.text('uri'),
        metadataHash: read.textOrNull('metadataHash'),
        firstBuy: readFirstBuy(read.objectOrNull('firstBuy')),
        costLamports: read.amount('costLamports'),
        feeLamports: read.amount('feeLamports'),
        tier: read.oneOf('tier', TIERS),
      };
    default:
      return assertNever(kind);
  }
}

function encodeCreation(params: CreateTokenParams): Json {
  const { prepared } = params;
  return {
    ...params,
    spec: encodeSpec(params.spec),
    recordLamports: params.recordLamports.toString(),
    mintRentLamports: params.mintRentLamports.toString(),
    holdingRentLamports: params.holdingRentLamports.toString(),
    feeLamports: params.feeLamports.toString(),
    ...(prepared === undefined
      ? {}
      : {
          prepared: {
            mint: prepared.mint,
            rentLamports: prepared.rentLamports.toString(),
            feeLamports: prepared.feeLamports.toString(),
          },
        }),
  };
}

function readCreation(read: JsonReader): CreateTokenParams {
  const prepared = read.raw('prepared') === undefined ? null : read.object('prepared');
  return {
    kind: read.oneOf('kind', ['create-token'] as const),
    ...(prepared === null
      ? {}
      : {
          prepared: {
            mint: prepared.address('mint'),
            rentLamports: prepared.amount('rentLamports'),
            feeLamports: prepared.amount('feeLamports'),
          },
        }),
    spec: decodeSpec(read.object('spec')),
    way: read.oneOf('way', WAYS),
    uri: read.text('uri'),
    metadataHash: read.textOrNull('metadataHash'),
    recordLamports: read.amount('recordLamports'),
    mintRentLamports: read.amount('mintRentLamports'),
    holdingRentLamports: read.amount('holdingRentLamports'),
    feeLamports: read.amount('feeLamports'),
    tier: read.oneOf('tier', TIERS),
  };
}

function readFirstBuy(read: JsonReader | null): LaunchFirstBuy | null {
  if (read === null) return null;
  return {
    lamports: read.amount('lamports'),
    quotedTokens: read.amount('quotedTokens'),
    minTokens: read.amount('minTokens'),
    slippageBps: read.integer('slippageBps'),
  };
}

export function encodeTerms(terms: TradeTerms): Json {
  return {
    ...terms,
    amountIn: terms.amountIn.toString(),
    quotedOut: terms.quotedOut.toString(),
    minOut: terms.minOut.toString(),
    platformFeeLamports: terms.platformFeeLamports.toString(),
    route: terms.route.map(({ from, to, ...leg }) => ({ ...leg, fromMint: from, toMint: to })),
  };
}

export function decodeTerms(json: unknown): TradeTerms {
  return readTerms(jsonReader(json, 'terms'));
}

function readTerms(read: JsonReader): TradeTerms {
  return {
    amountIn: read.amount('amountIn'),
    quotedOut: read.amount('quotedOut'),
    minOut: read.amount('minOut'),
    platformFeeLamports: read.amount('platformFeeLamports'),
    // Rows from before there were discounts lack it.
    ...(read.raw('feeDiscountBps') === undefined ? {} : { feeDiscountBps: read.integer('feeDiscountBps') }),
    priceImpactBps: read.integer('priceImpactBps'),
    slippageBps: read.integer('slippageBps'),
    route: read.list('route', (leg) => ({
      venue: leg.text('venue'),
      pool: leg.address('pool'),
      percent: leg.integer('percent'),
      from: leg.addressIfAny('fromMint'),
      to: leg.addressIfAny('toMint'),
    })),
  };
}

export function encodeOutcome(outcome: IntentOutcome): Json {
  const { reason, details, receipt } = outcome;
  return { reason, details: details ?? null, receipt: receipt === null ? null : encodeReceipt(receipt) };
}

export function decodeOutcome(json: unknown): IntentOutcome {
  const read = jsonReader(json, 'outcome');
  const receipt = read.objectOrNull('receipt');
  return {
    reason: read.textOrNull('reason'),
    details: read.raw('details') ?? null,
    receipt: receipt === null ? null : readReceipt(receipt),
  };
}

function encodeReceipt(receipt: LandedReceipt): Json {
  return {
    signature: receipt.signature,
    slot: receipt.slot.toString(),
    landedAt: receipt.landedAt,
    feeLamports: receipt.feeLamports.toString(),
    baseFeeLamports: receipt.baseFeeLamports.toString(),
    priorityFeeLamports: receipt.priorityFeeLamports.toString(),
    walletLamportsDelta: receipt.walletLamportsDelta.toString(),
    tokenDeltas: receipt.tokenDeltas.map(({ mint, delta }) => ({ mint, delta: delta.toString() })),
    rentLamports: receipt.rentLamports.toString(),
    platformFeeLamports: receipt.platformFeeLamports.toString(),
    ...(receipt.createdMint === undefined ? {} : { createdMint: receipt.createdMint }),
  };
}

function readReceipt(read: JsonReader): LandedReceipt {
  return {
    signature: read.text('signature'),
    slot: read.amount('slot'),
    landedAt: read.integerOrNull('landedAt'),
    feeLamports: read.amount('feeLamports'),
    baseFeeLamports: read.amount('baseFeeLamports'),
    priorityFeeLamports: read.amount('priorityFeeLamports'),
    walletLamportsDelta: read.amount('walletLamportsDelta'),
    tokenDeltas: read.list('tokenDeltas', (item) => ({
      mint: item.address('mint'),
      delta: item.amount('delta'),
    })),
    rentLamports: read.amount('rentLamports'),
    platformFeeLamports: read.amount('platformFeeLamports'),
    ...(read.raw('createdMint') === undefined ? {} : { createdMint: read.address('createdMint') }),
  };
}

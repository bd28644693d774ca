import { isPartSwitch } from '../../switches/rules.ts';
import type { IntentOutcome, LandedReceipt } from './intent.ts';
import { CorruptRowError, type JsonReader, jsonReader } from './json-reader.ts';
import type { RouteTerm, TradeTerms } from './terms.ts';

/**
 * Terms and outcomes inside the payload of a notice, which is plain JSON: bigints as decimal strings. decode ∘ encode is the
 * identity; decoding throws CorruptRowError.
 */

type Json = Readonly<Record<string, unknown>>;

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
      ...readPausedBy(leg),
    })),
  };
}

function readPausedBy(leg: JsonReader): Pick<RouteTerm, 'pausedBy'> {
  if (leg.raw('pausedBy') === undefined) return {};
  const text = leg.text('pausedBy');
  if (!isPartSwitch(text)) throw new CorruptRowError('terms.route.pausedBy', 'a switch');
  return { pausedBy: text };
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
    ...(receipt.tipLamports === undefined ? {} : { tipLamports: receipt.tipLamports.toString() }),
    ...(receipt.createdMint === undefined ? {} : { createdMint: receipt.createdMint }),
    ...(receipt.arrivedUnits === undefined ? {} : { arrivedUnits: receipt.arrivedUnits.toString() }),
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
    ...(read.raw('tipLamports') === undefined ? {} : { tipLamports: read.amount('tipLamports') }),
    ...(read.raw('createdMint') === undefined ? {} : { createdMint: read.address('createdMint') }),
    ...(read.raw('arrivedUnits') === undefined ? {} : { arrivedUnits: read.amount('arrivedUnits') }),
  };
}

import { type Bps, bps } from '../../../core/amounts/bps.ts';
import type { LandingTime, OwnRecord } from './landings.ts';

/** A market on the way, as the tape has it. */
export type HopFacts = {
  /** Prices in the order of the chain, dust left out: `up` is against the trade. */
  readonly trades: readonly { readonly slot: bigint; readonly price: number }[];
  /** Whether the trade loses by a price that rises: it buys the market's base. */
  readonly losesUp: boolean;
  /** Ten minutes are recorded, and nothing of them is missing. */
  readonly isWhole: boolean;
  /** It is no curve, whose cap decides, and its oldest trade is a day old. */
  readonly age: 'curve' | 'young' | 'old';
};

/** A slippage that was worked out from a market's own moves, in bps. */
export type AutoSlippage = {
  /** Within the cap: the one to trade with. */
  readonly bps: Bps;
  /** The wanted one, which may be more than the cap. */
  readonly wantedBps: number;
  readonly capBps: Bps;
  /** The desk's own trades that took at least as much as the tape alone asks for; null where they are too few to say something. */
  readonly own: OwnRecord | null;
  /** The tape's own move against the trade while one lands, which 99 of 100 do not exceed, in bps; null where too little is known. */
  readonly movesBps: number | null;
  /** How long the desk's own trades land; null where too few are known, and five slots are taken. */
  readonly landing: LandingTime | null;
};

/** What the desk's own landings make of a slippage that the tape asks for. */
export type Learned = (tapeBps: number) => { readonly factor: number; readonly record: OwnRecord | null };

const NOTHING_LEARNED: Learned = () => ({ factor: 1, record: null });

/** The least and the most that a person may set as a cap. */
export const AUTO_CAP_BPS = { least: 100, most: 5_000, buy: 1_000, sell: 1_500 } as const;

const LEAST_BPS = 50;
/** Slots from the quote to the landing, where no landings of ours say otherwise. */
const LANDING_SLOTS = 5;
const WINDOW_SLOTS = 750;
const RECENT_SLOTS = 150;
const FEW_TRADES = 20;
/** Of markets of which too little is known. */
const UNKNOWN_BPS = { young: 500, old: 200 } as const;
/** 99 of 100 moves of a bell curve are smaller than so many of its deviations. */
const DEVIATIONS = 2.33;
const MARGIN = 1.1;

/**
 * The slippage of a trade over these markets: for each the larger of the 99th percentile of its moves against the trade while one lands,
 * and the same by its variance of late, a tenth on top; the markets of a way add up. At least 0.5 %, at most the cap. Where fewer than
 * 20 trades or less than ten whole minutes are known: the cap on a curve, 5 % on a market younger than a day, else 2 %. `learned` then
 * raises it by what the desk's own landings say. One lands as long as nine of ten of them did.
 */
export function autoSlippage(
  hops: readonly HopFacts[],
  nowSlot: bigint,
  capBps: Bps,
  learned: Learned = NOTHING_LEARNED,
  landing: LandingTime | null = null,
): AutoSlippage {
  const landingSlots = landingSlotsOf(landing);
  const each = hops.map((hop) => ofHop(hop, nowSlot, { capBps, landingSlots }));
  const byTape = Math.max(
    LEAST_BPS,
    each.reduce((sum, { wanted }) => sum + wanted, 0),
  );
  const { factor, record: own } = learned(byTape);
  const wantedBps = Math.ceil(byTape * factor);
  const movesBps = each.reduce<number | null>(
    (sum, { moves }) => (sum === null || moves === null ? null : sum + moves),
    0,
  );
  return {
    bps: bps(Math.min(wantedBps, capBps)),
    wantedBps,
    capBps,
    own,
    movesBps: movesBps === null ? null : Math.ceil(movesBps),
    landing,
  };
}

/** Slots from the quote to the landing of a trade of the desk: nine of ten took no more. */
export const landingSlotsOf = (landing: LandingTime | null): number => landing?.p90 ?? LANDING_SLOTS;

/** The bps that one market asks for, and its own move; null where too little is known of it. */
function ofHop(
  hop: HopFacts,
  nowSlot: bigint,
  { capBps, landingSlots }: { readonly capBps: number; readonly landingSlots: number },
): { readonly wanted: number; readonly moves: number | null } {
  const from = nowSlot - BigInt(WINDOW_SLOTS);
  const recent = hop.trades.filter(({ slot }) => slot > from);
  if (!hop.isWhole || recent.length < FEW_TRADES)
    return { wanted: hop.age === 'curve' ? capBps : UNKNOWN_BPS[hop.age], moves: null };
  const path = pathOf(hop, from);
  const moves = percentile(movesAgainst(path, hop.losesUp, landingSlots), 0.99);
  return {
    wanted: MARGIN * 10_000 * Math.max(moves, byVariance(path, landingSlots)),
    moves: 10_000 * moves,
  };
}

/** The price at the end of each slot of the window; the first known one before its trade. */
function pathOf({ trades }: HopFacts, from: bigint): readonly number[] {
  const path: number[] = [];
  let at = 0;
  let price = trades[0]?.price ?? 0;
  for (let n = 0; n <= WINDOW_SLOTS; n += 1) {
    for (; at < trades.length && (trades[at]?.slot ?? 0n) <= from + BigInt(n); at += 1)
      price = trades[at]?.price ?? price;
    path.push(price);
  }
  return path;
}

/** How much worse a trade gets that lands so many slots after its quote; 0 where it gets better. */
function movesAgainst(path: readonly number[], losesUp: boolean, landingSlots: number): readonly number[] {
  return path.slice(0, -landingSlots).map((quoted, index) => {
    const landed = path[index + landingSlots] ?? quoted;
    // A purchase brings so much less, and a sale too, as a part of the quote.
    const kept = losesUp ? quoted / landed : landed / quoted;
    return Math.max(0, 1 - kept);
  });
}

function byVariance(path: readonly number[], landingSlots: number): number {
  const late = path.slice(-RECENT_SLOTS - 1);
  const variance = late
    .slice(1)
    .reduce((sum, price, index) => sum + Math.log(price / (late[index] ?? price)) ** 2, 0);
  return DEVIATIONS * Math.sqrt((variance * landingSlots) / RECENT_SLOTS);
}

/** The smallest value that at least so large a share of them does not exceed. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

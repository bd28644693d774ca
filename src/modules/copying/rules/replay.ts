import type { Address } from '@tradepost/solana';
import { COPY_LIMITS, type CopyRules } from './copy.ts';
import { unitsToSell } from './copy-sale.ts';
import { copySize, dearerThan, judgeSeen } from './judge-copy.ts';

/** A trade of the followed wallet. `lamports`: its worth; null where it has no price of its own. */
export type ReplayTrade = {
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  /** Epoch milliseconds. */
  readonly at: number;
  readonly units: bigint;
  readonly lamports: bigint | null;
};

/** The price of units of a token at a moment. */
export type TapePrice = { readonly at: number; readonly lamports: bigint; readonly units: bigint };

export type ReplayInput = {
  /** Oldest first. */
  readonly trades: readonly ReplayTrade[];
  /** By mint, oldest first. */
  readonly tape: ReadonlyMap<Address, readonly TapePrice[]>;
  /** Lamports of one side of the pools of today, by mint; a token without them can be sold for nothing. */
  readonly depth: ReadonlyMap<Address, bigint>;
  readonly rules: CopyRules;
  /** How much later than the leader a copy trades. */
  readonly delayMs: number;
  readonly feeBps: bigint;
  readonly networkLamports: bigint;
  readonly from: number;
  readonly to: number;
};

/** The results of copying, in bps of the sum paid, never rounded in its favour. Null where nothing was paid. */
export type Replay = {
  /** Trades that have a price on the tape. */
  readonly priced: number;
  readonly theirsBps: number | null;
  readonly yoursBps: number | null;
  readonly withoutBestBps: number | null;
  /** How much more a unit costs than the leader paid, on average. */
  readonly dearerBps: number | null;
  readonly laterHalfBps: number | null;
  readonly earlierHalfBps: number | null;
  /** Too few to say anything by. */
  readonly isFew: boolean;
};

export const REPLAY = { fewest: 10, spanMs: 7 * 86_400_000 } as const;
const WHOLE = 10_000n;

/**
 * The results of copying a wallet with these rules: entries and exits at the first price after the delay, with the own size against
 * the pools of today, the platform's fee and the network's. Purchases that the rules skip are left out. The rest is sold at the end.
 */
export function replay(input: ReplayInput): Replay {
  const { trades, tape, from, to } = input;
  const middle = Math.floor((from + to) / 2);
  const priced = trades.filter(
    ({ mint, lamports }) => lamports !== null && (tape.get(mint)?.length ?? 0) > 0,
  );
  const all = run(input, priced, to);
  const sums = [...all.byMint.values()];
  const best = sums.toSorted((one, other) => Number(gainOf(other) - gainOf(one)))[0];
  return {
    priced: priced.length,
    isFew: priced.length < REPLAY.fewest,
    theirsBps: resultBps(sums.map(({ theirs }) => theirs)),
    yoursBps: resultBps(sums.map(({ ours }) => ours)),
    withoutBestBps: resultBps(sums.filter((one) => one !== best).map(({ ours }) => ours)),
    dearerBps: all.dearer.length === 0 ? null : Number(ceilMean(all.dearer)),
    earlierHalfBps: halfBps(
      input,
      priced.filter(({ at }) => at < middle),
      middle,
    ),
    laterHalfBps: halfBps(
      input,
      priced.filter(({ at }) => at >= middle),
      to,
    ),
  };
}

type Side = { readonly paid: bigint; readonly got: bigint; readonly units: bigint };
type Held = { readonly theirs: Side; readonly ours: Side };
type Run = { readonly byMint: ReadonlyMap<Address, Held>; readonly dearer: readonly bigint[] };

const NOTHING: Side = { paid: 0n, got: 0n, units: 0n };

function run(input: ReplayInput, trades: readonly ReplayTrade[], endAt: number): Run {
  const byMint = new Map<Address, Held>();
  const dearer: bigint[] = [];
  const purse = createPurse();
  for (const trade of trades) {
    const { mint, lamports } = trade;
    if (lamports === null) continue;
    const { theirs, ours } = byMint.get(mint) ?? { theirs: NOTHING, ours: NOTHING };
    if (trade.side === 'sell') {
      const units = unitsToSell({ sold: trade.units, heldBefore: theirs.units }, ours.units);
      const got = units === 0n ? 0n : soldFor(input, { mint, units, at: trade.at + input.delayMs });
      byMint.set(mint, {
        theirs: minus(theirs, trade.units, lamports),
        ours: { ...ours, units: ours.units - units, got: ours.got + got },
      });
      continue;
    }
    const size = copySize(input.rules, lamports);
    const facts = { ...NO_SKIP, rules: input.rules, boughtBefore: ours.paid > 0n, leaderLamports: lamports };
    const isCopied = judgeSeen({ ...facts, ...purse.at(trade.at) }) === null;
    const units = isCopied ? boughtFor(input, { mint, lamports: size, at: trade.at + input.delayMs }) : 0n;
    if (units > 0n) {
      purse.pay(trade.at, size);
      const more = dearerThan({ lamports: size, units }, { lamports, units: trade.units });
      if (more !== null) dearer.push(more);
    }
    byMint.set(mint, {
      theirs: { ...theirs, paid: theirs.paid + lamports, units: theirs.units + trade.units },
      ours: units > 0n ? plus(ours, units, size + input.networkLamports) : ours,
    });
  }
  for (const [mint, held] of byMint) byMint.set(mint, soldAtEnd(input, mint, held, endAt));
  return { byMint, dearer };
}

/** The sums of copied purchases: of a day, and of all. */
function createPurse() {
  const paid: { readonly at: number; readonly lamports: bigint }[] = [];
  let [first, today, inAll] = [0, 0n, 0n];
  return {
    at: (now: number) => {
      for (let old = paid[first]; old !== undefined && old.at <= now - COPY_LIMITS.dayMs; old = paid[first]) {
        today -= old.lamports;
        first += 1;
      }
      return { spentToday: today, spentInAll: inAll };
    },
    pay: (at: number, lamports: bigint) => {
      paid.push({ at, lamports });
      today += lamports;
      inAll += lamports;
    },
  };
}

function soldAtEnd(input: ReplayInput, mint: Address, { theirs, ours }: Held, at: number): Held {
  const got = ours.units === 0n ? 0n : soldFor(input, { mint, units: ours.units, at });
  return {
    theirs: { ...theirs, units: 0n, got: theirs.got + worthOf(input, { mint, units: theirs.units, at }) },
    ours: { ...ours, units: 0n, got: ours.got + got },
  };
}

const NO_SKIP = {
  ageMs: 0,
  isPaused: false,
  isBase: false,
  isLeaderMade: false,
  isCopied: false,
  isHidden: false,
} as const;

const plus = (side: Side, units: bigint, paid: bigint): Side => ({
  ...side,
  paid: side.paid + paid,
  units: side.units + units,
});

/** A sale of more than was seen bought counts for the part that was: the rest was never paid for here. */
function minus(side: Side, units: bigint, lamports: bigint): Side {
  const known = units < side.units ? units : side.units;
  return {
    ...side,
    units: side.units - known,
    got: side.got + (units === 0n ? 0n : (lamports * known) / units),
  };
}

type Asked = { readonly mint: Address; readonly units: bigint; readonly at: number };

/** What a fill is worked out from. */
export type FillFacts = Pick<ReplayInput, 'tape' | 'depth' | 'feeBps' | 'networkLamports'>;

/** Units for lamports: the fee first, then the price, then the own size against one side of the pools. Rounded down. */
export function boughtFor(
  { tape, depth, feeBps }: Pick<FillFacts, 'tape' | 'depth' | 'feeBps'>,
  { mint, lamports, at }: Omit<Asked, 'units'> & { readonly lamports: bigint },
): bigint {
  const [price, side] = [priceAt(tape.get(mint) ?? [], at), depth.get(mint) ?? 0n];
  if (price === null || price.lamports <= 0n) return 0n;
  const given = (lamports * (WHOLE - feeBps)) / WHOLE;
  if (side <= 0n) return (given * price.units) / price.lamports;
  return (given * price.units * side) / (price.lamports * (side + given));
}

/** Lamports of a sale, its fees taken off; negative where the network takes more. A token without pools brings nothing. */
export function soldFor(input: FillFacts, asked: Asked): bigint {
  const side = input.depth.get(asked.mint) ?? 0n;
  if (side <= 0n) return 0n;
  const worth = worthOf(input, asked);
  return (((worth * side) / (side + worth)) * (WHOLE - input.feeBps)) / WHOLE - input.networkLamports;
}

function worthOf({ tape }: Pick<FillFacts, 'tape'>, { mint, units, at }: Asked): bigint {
  const price = priceAt(tape.get(mint) ?? [], at);
  return price === null || price.units <= 0n ? 0n : (units * price.lamports) / price.units;
}

/** The first price at a moment or later; where none came, the last one before. */
function priceAt(prices: readonly TapePrice[], at: number): TapePrice | null {
  let [low, high] = [0, prices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((prices[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return prices[low] ?? prices.at(-1) ?? null;
}

const gainOf = ({ ours }: Held): bigint => ours.got - ours.paid;

function halfBps(input: ReplayInput, trades: readonly ReplayTrade[], endAt: number): number | null {
  return resultBps([...run(input, trades, endAt).byMint.values()].map(({ ours }) => ours));
}

function resultBps(sides: readonly Side[]): number | null {
  const paid = sides.reduce((sum, one) => sum + one.paid, 0n);
  const got = sides.reduce((sum, one) => sum + one.got, 0n);
  return paid <= 0n ? null : Number(floorDiv((got - paid) * WHOLE, paid));
}

function ceilMean(all: readonly bigint[]): bigint {
  const sum = all.reduce((total, one) => total + one, 0n);
  return -floorDiv(-sum, BigInt(all.length));
}

/** Towards minus infinity. */
function floorDiv(top: bigint, bottom: bigint): bigint {
  const whole = top / bottom;
  return top % bottom !== 0n && top < 0n !== bottom < 0n ? whole - 1n : whole;
}

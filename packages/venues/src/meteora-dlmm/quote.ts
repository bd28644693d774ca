import { divCeil, minBigint, mulDivCeil } from '@tradepost/solana';
import { powQ64, volatilityFee } from '../shared/fee-schedule.ts';
import { COLLECT_ON_INPUT, FEE_PRECISION, MAX_FEE_RATE } from './layout.ts';

/** One price and the units for sale at it. The price is Y per X in Q64.64. */
export type Bin = {
  readonly id: number;
  readonly price: bigint;
  /** The layers that a buyer of X takes in turn: the makers' liquidity, orders that are being filled, open orders. No zeros. */
  readonly layersX: readonly bigint[];
  readonly layersY: readonly bigint[];
};

/** Units for sale to one who swaps in `direction`, in the order they are taken. */
export function layersOf(bin: Bin, direction: Direction): readonly bigint[] {
  return direction === 0 ? bin.layersY : bin.layersX;
}

/** A run of bins that lie in one account. */
export type BinRun = { readonly index: number; readonly bins: readonly Bin[] };

export type DlmmFees = {
  readonly binStep: bigint;
  readonly baseRate: bigint;
  readonly variableFeeControl: bigint;
  readonly maxVolatility: bigint;
  /** As they stand when the swap begins. */
  readonly volatilityReference: bigint;
  readonly indexReference: number;
  readonly collectFeeMode: number;
};

/** Runs in the order a swap reaches them, bins within a run likewise, from the active bin on. */
export type Walk = { readonly runs: readonly BinRun[] };

export type WalkResult = {
  /** 0 when the runs that are known cannot take the whole amount. */
  readonly out: bigint;
  /** How many runs were entered. */
  readonly entered: number;
};

/** 0 sells X for Y, downwards; 1 sells Y for X, upwards. */
export type Direction = 0 | 1;

/**
 * Sells `arriving` bin by bin; every bin adds to the volatility fee. Amounts in round up, amounts out down, each fee up.
 * Source of truth: MeteoraAg/dlmm-sdk commons/src/quote.rs `quote_exact_in`.
 */
export function dlmmWalk(fees: DlmmFees, walk: Walk, direction: Direction, arriving: bigint): WalkResult {
  let left = arriving;
  let out = 0n;
  let entered = 0;
  for (const run of walk.runs) {
    entered++;
    for (const bin of run.bins) {
      if (layersOf(bin, direction).length === 0) continue;
      const filled = fillBin(fees, bin, direction, left);
      left -= filled.in;
      out += filled.out;
      if (left === 0n) return { out, entered };
    }
  }
  return { out: 0n, entered };
}

type Fill = { readonly in: bigint; readonly out: bigint };

function fillBin(fees: DlmmFees, bin: Bin, direction: Direction, left: bigint): Fill {
  const rate = feeRateAt(fees, bin.id);
  const onInput = feeOnInput(fees.collectFeeMode, direction);
  const net = onInput ? left - mulDivCeil(left, rate, FEE_PRECISION) : left;
  const filled = fillLayers(bin, direction, net);
  const out = onInput ? filled.out : filled.out - mulDivCeil(filled.out, rate, FEE_PRECISION);
  // Only an emptied bin leaves something for the next one; the part that it took is grossed up by its own fee.
  if (filled.in === net) return { in: left, out };
  const gross = onInput ? filled.in + mulDivCeil(filled.in, rate, FEE_PRECISION - rate) : filled.in;
  return { in: gross, out };
}

/** Layer by layer: each rounds for itself. */
function fillLayers(bin: Bin, direction: Direction, net: bigint): Fill {
  let left = net;
  let out = 0n;
  for (const available of layersOf(bin, direction)) {
    const room = inFor(bin.price, available, direction);
    if (left < room) return { in: net, out: out + outFor(bin.price, left, direction) };
    out += available;
    left -= room;
  }
  return { in: net - left, out };
}

export function feeOnInput(collectFeeMode: number, direction: Direction): boolean {
  return collectFeeMode === COLLECT_ON_INPUT || direction === 1;
}

/** Parts of a billion: the base fee, and the addition for the distance from the reference bin, at most a tenth. */
export function feeRateAt(fees: DlmmFees, binId: number): bigint {
  const distance = BigInt(Math.abs(fees.indexReference - binId));
  const volatility = minBigint(fees.volatilityReference + distance * 10_000n, fees.maxVolatility);
  const variable =
    fees.variableFeeControl === 0n ? 0n : volatilityFee(volatility, fees.binStep, fees.variableFeeControl);
  return minBigint(fees.baseRate + variable, MAX_FEE_RATE);
}

function inFor(price: bigint, amountOut: bigint, direction: Direction): bigint {
  return direction === 0 ? divCeil(amountOut << 64n, price) : divCeil(amountOut * price, 1n << 64n);
}

function outFor(price: bigint, amountIn: bigint, direction: Direction): bigint {
  return direction === 0 ? (price * amountIn) >> 64n : (amountIn << 64n) / price;
}

/** (1 + binStep/10,000)^id, truncated as the program truncates; the price of a bin without a stored one. */
export function priceOfBin(id: number, binStep: number): bigint {
  return powQ64((1n << 64n) + (BigInt(binStep) << 64n) / 10_000n, BigInt(id));
}

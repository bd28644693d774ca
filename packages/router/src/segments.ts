import { CUM_IN, CUM_OUT, type Curve, DEPTH, ROW, S0, S1 } from './curve.ts';
import type { Gain, PoolShape } from './routable-pool.ts';

/** A bin is smoothed over this part of its price: enough for Newton to see a slope, too little to move an output. */
export const BIN_SMOOTHING = 1e-4;
/** And over this part while only the order of pools matters: most bins then touch, and Newton meets no gaps to zigzag over. */
export const ROUGH_SMOOTHING = 2e-3;

/** Segments in falling price order, before fees. */
type Segment = {
  readonly s0: number;
  readonly s1: number;
  readonly depth: number;
  readonly capacityIn: number;
  readonly capacityOut: number;
};

/**
 * The curve of one direction: `direction` 0 sells A for B, 1 sells B for A. With `smoothing` 0 the curve is exact; above
 * it each bin becomes a narrow range of equal capacity around its price (Newton needs a slope). A pool that can give
 * nothing yields a curve without segments and with spot 0.
 */
export function buildCurve(shape: PoolShape, direction: 0 | 1, gain: Gain, smoothing: number): Curve {
  const segments = segmentsOf(shape, direction, smoothing);
  const rows = new Float64Array((segments.length + 1) * ROW);
  let cumIn = 0;
  let cumOut = 0;
  segments.forEach((segment, index) => {
    const row = index * ROW;
    rows[row + S0] = segment.s0;
    rows[row + S1] = segment.s1;
    rows[row + DEPTH] = segment.depth;
    rows[row + CUM_IN] = cumIn;
    rows[row + CUM_OUT] = cumOut;
    cumIn += segment.capacityIn;
    cumOut += segment.capacityOut;
  });
  const end = segments.length * ROW;
  rows[end + S0] = 0;
  // Below every price, so that the search by price always ends here.
  rows[end + S1] = -1;
  rows[end + DEPTH] = 1;
  rows[end + CUM_IN] = cumIn;
  rows[end + CUM_OUT] = cumOut;
  const first = segments[0];
  const spot = first === undefined ? 0 : first.s0 * first.s0 * gain.in * gain.out;
  return { gainIn: gain.in, gainOut: gain.out, spot, segments: segments.length, rows };
}

function segmentsOf(shape: PoolShape, direction: 0 | 1, smoothing: number): readonly Segment[] {
  switch (shape.kind) {
    case 'constant-product':
      return productSegment(shape.reserves, direction, Number.POSITIVE_INFINITY);
    case 'launch-curve':
      return productSegment(
        shape.virtualReserves,
        direction,
        Number(shape.realReserves[direction === 0 ? 1 : 0]),
      );
    case 'concentrated':
      return direction === 0 ? rangesDown(shape) : rangesUp(shape);
    case 'bins':
      return binSegments(shape, direction, smoothing);
  }
}

function productSegment(
  reserves: readonly [bigint, bigint],
  direction: 0 | 1,
  realOut: number,
): readonly Segment[] {
  const x = Number(reserves[direction]);
  const y = Number(reserves[direction === 0 ? 1 : 0]);
  if (!(x > 0 && y > 0 && realOut > 0)) return [];
  const depth = Math.sqrt(x) * Math.sqrt(y);
  const s0 = Math.sqrt(y / x);
  const s1 = Math.max(0, s0 - realOut / depth);
  return [range(depth, s0, s1)];
}

function range(depth: number, s0: number, s1: number): Segment {
  return { s0, s1, depth, capacityIn: depth * (1 / s1 - 1 / s0), capacityOut: depth * (s0 - s1) };
}

type Concentrated = Extract<PoolShape, { kind: 'concentrated' }>;

function rangesDown(shape: Concentrated): readonly Segment[] {
  const found: Segment[] = [];
  let s = shape.sqrtPrice;
  // Liquidity is summed as integers: doubles would leave a ghost of liquidity where the true sum is zero.
  let liquidity = shape.liquidity;
  for (let index = shape.ticks.length - 1; index >= 0; index--) {
    const tick = shape.ticks[index];
    if (tick === undefined || tick.sqrtPrice > s) continue;
    if (liquidity > 0n && tick.sqrtPrice < s) found.push(range(Number(liquidity), s, tick.sqrtPrice));
    s = tick.sqrtPrice;
    liquidity -= tick.liquidityNet;
  }
  return found;
}

function rangesUp(shape: Concentrated): readonly Segment[] {
  const found: Segment[] = [];
  let s = shape.sqrtPrice;
  let liquidity = shape.liquidity;
  for (const tick of shape.ticks) {
    if (tick.sqrtPrice <= s) continue;
    if (liquidity > 0n) found.push(range(Number(liquidity), 1 / s, 1 / tick.sqrtPrice));
    s = tick.sqrtPrice;
    liquidity += tick.liquidityNet;
  }
  return found;
}

type Bins = Extract<PoolShape, { kind: 'bins' }>;

function binSegments(shape: Bins, direction: 0 | 1, smoothing: number): readonly Segment[] {
  const found: Segment[] = [];
  const step = direction === 0 ? -1 : 1;
  const start = direction === 0 || shape.activeIsExact ? shape.activeBin : shape.activeBin + 1;
  for (let index = start; index >= 0 && index < shape.bins.length; index += step) {
    const bin = shape.bins[index];
    if (bin === undefined) continue;
    const capacityOut = Number(bin.reserves[direction === 0 ? 1 : 0]);
    if (capacityOut <= 0) continue;
    const price = direction === 0 ? bin.price : 1 / bin.price;
    const s = Math.sqrt(price);
    if (smoothing === 0) {
      found.push({
        s0: s,
        s1: s,
        depth: Number.POSITIVE_INFINITY,
        capacityIn: capacityOut / price,
        capacityOut,
      });
      continue;
    }
    // Neighbours may touch but must not overlap, or prices would rise along the curve. Roots lie half as far apart as prices.
    const next = shape.bins[index + step];
    const gap = next === undefined ? smoothing : Math.abs(Math.log(next.price / bin.price)) * 0.499;
    const width = Math.min(smoothing, gap);
    const s0 = s * (1 + width / 2);
    const s1 = s * (1 - width / 2);
    found.push(range(capacityOut / (s0 - s1), s0, s1));
  }
  return found;
}

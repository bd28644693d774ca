import { Q64, toQ64 } from './fixed-point.ts';
import type { SnapshotPool } from './snapshot.ts';

/** Exact output of one pool: `direction` 0 sells tokens[0] for tokens[1], 1 the reverse. */
export type Simulator = (direction: 0 | 1, amountIn: bigint) => bigint;

/** The exact arithmetic of a snapshot pool, fee included, all integers. Input beyond the last tick or bin is lost. */
export function createSimulator(pool: SnapshotPool): Simulator {
  const fee = BigInt(pool.feePpm);
  const curve = createCurve(pool);
  return (direction, amountIn) => {
    if (amountIn <= 0n) return 0n;
    if (pool.feeSide === 'quote' && direction === 0) {
      const gross = curve(0, amountIn);
      return gross - ceilDiv(gross * fee, 1_000_000n);
    }
    return curve(direction, amountIn - ceilDiv(amountIn * fee, 1_000_000n));
  };
}

function createCurve(pool: SnapshotPool): Simulator {
  switch (pool.type) {
    case 'cp':
      return product(pool.reserves, null);
    case 'pump':
      return product(pool.virtualReserves, pool.realReserves);
    case 'clmm':
      return concentrated(pool);
    case 'dlmm':
      return bins(pool);
  }
}

function product(reserves: readonly [string, string], real: readonly [string, string] | null): Simulator {
  const held = [BigInt(reserves[0]), BigInt(reserves[1])] as const;
  const cap = real === null ? null : ([BigInt(real[0]), BigInt(real[1])] as const);
  return (direction, net) => {
    const x = held[direction];
    const y = held[direction === 0 ? 1 : 0];
    if (net <= 0n || x <= 0n) return 0n;
    const out = (net * y) / (x + net);
    const most = cap?.[direction === 0 ? 1 : 0] ?? out;
    return out < most ? out : most;
  };
}

function bins(pool: Extract<SnapshotPool, { type: 'dlmm' }>): Simulator {
  const all = pool.bins.map(({ id, x, y }) => ({
    id,
    x: BigInt(x),
    y: BigInt(y),
    price: toQ64((1 + pool.binStep / 1e4) ** id),
  }));
  const down = all.filter(({ id }) => id <= pool.activeId).reverse();
  const up = all.filter(({ id }) => id >= pool.activeId);
  return (direction, net) => {
    let left = net;
    let out = 0n;
    for (const { x, y, price } of direction === 0 ? down : up) {
      if (left <= 0n) break;
      if (price === 0n) continue;
      const reserve = direction === 0 ? y : x;
      const capacity = direction === 0 ? ceilDiv(y * Q64, price) : ceilDiv(x * price, Q64);
      if (left >= capacity) {
        out += reserve;
        left -= capacity;
      } else {
        out += direction === 0 ? (left * price) / Q64 : (left * Q64) / price;
        break;
      }
    }
    return out;
  };
}

function concentrated(pool: Extract<SnapshotPool, { type: 'clmm' }>): Simulator {
  const price = BigInt(pool.sqrtPriceX64);
  const liquidity = BigInt(pool.liquidity);
  const ticks = pool.ticks.map(({ tick, liquidityNet }) => ({
    at: toQ64(1.0001 ** (tick / 2)),
    net: BigInt(liquidityNet),
  }));
  const falling = [...ticks].reverse();
  const floored = (value: bigint): bigint => (value > 0n ? value : 0n);

  const sellFirst = (net: bigint): bigint => {
    let s = price;
    let l = liquidity;
    let left = net;
    let out = 0n;
    for (const { at: t, net: change } of falling) {
      if (t > s) continue;
      if (t < s && l > 0n) {
        const need = ceilDiv(ceilDiv(l * Q64 * (s - t), t), s);
        if (left < need) {
          const end = ceilDiv(l * Q64 * s, l * Q64 + left * s);
          return out + (l * (s - end)) / Q64;
        }
        out += (l * (s - t)) / Q64;
        left -= need;
      }
      s = t;
      l = floored(l - change);
    }
    return out;
  };

  const sellSecond = (net: bigint): bigint => {
    let s = price;
    let l = liquidity;
    let left = net;
    let out = 0n;
    for (const { at: t, net: change } of ticks) {
      if (t <= s) continue;
      if (l > 0n) {
        const need = ceilDiv(l * (t - s), Q64);
        if (left < need) {
          const end = s + (left * Q64) / l;
          return out + (l * Q64 * (end - s)) / end / s;
        }
        out += (l * Q64 * (t - s)) / t / s;
        left -= need;
      }
      s = t;
      l = floored(l + change);
    }
    return out;
  };

  return (direction, net) => (net <= 0n ? 0n : direction === 0 ? sellFirst(net) : sellSecond(net));
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

import type { Snapshot, SnapshotOrder, SnapshotPool } from './snapshot.ts';

export type MarketRecipe = {
  readonly seed: number;
  readonly pools: number;
  readonly orders: number;
  /** Part of the pools whose price is about 3 % off: free arbitrage, as a dead feed would show it. */
  readonly staleShare?: number;
};

type Token = {
  readonly id: string;
  readonly decimals: number;
  readonly usd: number;
  /** The holdings of the token's pools, both sides together. */
  depthUsd: number;
};
type Random = () => number;

/**
 * A synthetic Solana market: three hubs, some intermediate hubs, and tokens. A part of the tokens trade only on a launch curve. The others
 * trade in 2 to 12 pools of constant-product, concentrated and bin kinds with heavy-tailed liquidity. Every price lies inside its pool's
 * fee band around the true one, hence no arbitrage (unless `staleShare` asks for it). The number of pools per token and the meaning of
 * depth are chosen to match the loss of the design's recipe: the best path loses about the same (docs/decisions).
 */
export function generateMarket(recipe: MarketRecipe): Snapshot {
  const random = createRandom(recipe.seed * 1_000_003 + recipe.pools);
  const hubs: Token[] = [
    { id: 'SOL', decimals: 9, usd: 150, depthUsd: 0 },
    { id: 'USDC', decimals: 6, usd: 1, depthUsd: 0 },
    { id: 'USDT', decimals: 6, usd: 0.9997, depthUsd: 0 },
  ];
  const intermediateCount = recipe.pools >= 10_000 ? 10 : recipe.pools >= 1_000 ? 6 : 3;
  const intermediates = range(intermediateCount).map((n) => token(`MID${n}`, random, 0.1, 300));
  const pools: SnapshotPool[] = [];
  const memes: Token[] = [];
  const tail = 0.55 + 0.2 * random();
  const add = (a: Token, b: Token, smallestUsd: number, launch: boolean): void => {
    const tvlUsd = smallestUsd * Math.min(20_000, random() ** -tail);
    const stale = random() < (recipe.staleShare ?? 0) ? (random() < 0.5 ? 1.03 : 0.97) : 1;
    pools.push(createPool({ id: `P${pools.length}`, a, b, tvlUsd, stale, launch, random }));
    a.depthUsd += tvlUsd;
    b.depthUsd += tvlUsd;
  };

  const [sol, usdc, usdt] = hubs as [Token, Token, Token];
  const scale = Math.max(1, Math.round(Math.sqrt(recipe.pools) / 10));
  for (let n = 0; n < 3 + scale; n++) add(sol, usdc, 3e6, false);
  for (let n = 0; n < 1 + scale; n++) add(sol, usdt, 8e5, false);
  for (let n = 0; n < 1 + scale; n++) add(usdc, usdt, 2e6, false);
  for (const intermediate of intermediates) {
    const count = 2 + Math.floor(random() * (2 + scale));
    for (let n = 0; n < count; n++) add(intermediate, pick(random, [sol, sol, usdc, usdt]), 3e5, false);
    if (random() < 0.5)
      add(
        intermediate,
        pick(
          random,
          intermediates.filter((other) => other !== intermediate),
        ),
        1e5,
        false,
      );
  }
  while (pools.length < recipe.pools) {
    const meme = token(`T${memes.length}`, random, 1e-7, 1);
    memes.push(meme);
    if (random() < 0.22) {
      add(meme, sol, 8e3, true);
      continue;
    }
    const count = Math.min(12, 1 + Math.floor(random() ** (-1 / 0.8)));
    for (let n = 0; n < count && pools.length < recipe.pools; n++) {
      const quote =
        random() < 0.62 ? sol : random() < 0.5 ? usdc : random() < 0.75 ? pick(random, intermediates) : usdt;
      add(meme, quote, 2e4, false);
    }
  }

  const orders = createOrders({ recipe, random, hubs, intermediates, memes });
  const tokens = [...hubs, ...intermediates, ...memes].map(({ id }) => ({ id }));
  return { version: 1, tokens, pools, orders };
}

type OrderParts = {
  readonly recipe: MarketRecipe;
  readonly random: Random;
  readonly hubs: readonly Token[];
  readonly intermediates: readonly Token[];
  readonly memes: readonly Token[];
};

function createOrders({ recipe, random, hubs, intermediates, memes }: OrderParts): SnapshotOrder[] {
  const [sol, usdc] = hubs as [Token, Token];
  const byDepth = [...memes].sort((a, b) => b.depthUsd - a.depthUsd);
  // Rather the deep ones, where people trade.
  const meme = (): Token => byDepth[Math.floor(random() ** 3 * byDepth.length)] ?? sol;
  const orders: SnapshotOrder[] = [];
  while (orders.length < recipe.orders) {
    const kind = random();
    let ends: [Token, Token];
    if (kind < 0.4) ends = [sol, meme()];
    else if (kind < 0.6) ends = [usdc, meme()];
    else if (kind < 0.7) ends = [sol, usdc];
    else if (kind < 0.9) ends = [meme(), meme()];
    else ends = [pick(random, intermediates), random() < 0.5 ? meme() : pick(random, [sol, usdc])];
    if (kind < 0.7 && random() < 0.5) ends = [ends[1], ends[0]];
    const [from, to] = ends;
    if (from === to) continue;
    const depthFrac = Math.exp(Math.log(1e-4) + random() * Math.log(500));
    const usd = Math.min(from.depthUsd, to.depthUsd) * depthFrac;
    const amountIn = units(usd / from.usd, from);
    if (amountIn <= 0n) continue;
    orders.push({
      id: `O${orders.length}`,
      tokenIn: from.id,
      tokenOut: to.id,
      amountIn: amountIn.toString(),
      depthFrac,
    });
  }
  return orders;
}

type PoolParts = {
  readonly id: string;
  readonly a: Token;
  readonly b: Token;
  readonly tvlUsd: number;
  readonly stale: number;
  readonly launch: boolean;
  readonly random: Random;
};

function createPool(parts: PoolParts): SnapshotPool {
  if (parts.launch) return launchPool(parts);
  const kind = parts.random();
  if (kind < 0.55) return productPool(parts);
  return kind < 0.8 ? concentratedPool(parts) : binPool(parts);
}

/** B per A in smallest units, moved off the true price by less than the fee. */
function jittered({ a, b, stale, random }: PoolParts, feePpm: number): number {
  const exact = (a.usd / b.usd) * 10 ** (b.decimals - a.decimals);
  return exact * stale * Math.exp((random() * 2 - 1) * 0.8 * (feePpm / 1e6));
}

function productPool(parts: PoolParts): SnapshotPool {
  const feePpm = pick(parts.random, [2_500, 3_000, 10_000]);
  const price = jittered(parts, feePpm);
  const x = (parts.tvlUsd / 2 / parts.a.usd) * 10 ** parts.a.decimals;
  return { id: parts.id, type: 'cp', tokens: ends(parts), feePpm, reserves: [whole(x), whole(x * price)] };
}

function launchPool(parts: PoolParts): SnapshotPool {
  const price = jittered(parts, 10_000);
  const x = (parts.tvlUsd / 2 / parts.a.usd) * 10 ** parts.a.decimals;
  const y = x * price;
  const sold = 0.05 + 0.5 * parts.random();
  return {
    id: parts.id,
    type: 'pump',
    tokens: ends(parts),
    feePpm: 10_000,
    feeSide: 'quote',
    virtualReserves: [whole(x), whole(y)],
    realReserves: [whole(x * 0.74), whole(y * sold)],
  };
}

function concentratedPool(parts: PoolParts): SnapshotPool {
  const { random } = parts;
  const [feePpm, spacing] = pick(random, [
    [100, 1],
    [500, 10],
    [2_500, 60],
    [10_000, 120],
  ] as const);
  const s = Math.sqrt(jittered(parts, feePpm));
  const current = Math.floor((2 * Math.log(s)) / Math.log(1.0001));
  const nets = new Map<number, bigint>();
  let liquidity = 0n;
  const count = 6 + Math.floor(random() * 51);
  const unitB = 10 ** parts.b.decimals / parts.b.usd;
  for (let n = 0; n < count; n++) {
    const half = spacing * Math.max(1, Math.round((30 * random() ** 2 * 200) / Math.sqrt(spacing)));
    const centre = current + Math.round((random() - 0.5) * half);
    const lower = n === 0 ? -400_000 - (-400_000 % spacing) : Math.floor((centre - half) / spacing) * spacing;
    const upper = n === 0 ? -lower : Math.ceil((centre + half) / spacing) * spacing;
    const sl = 1.0001 ** (lower / 2);
    const su = 1.0001 ** (upper / 2);
    const inside = Math.min(Math.max(s, sl), su);
    const perUnit = inside - sl + (1 / inside - 1 / su) * s * s;
    const amount = BigInt(Math.floor(((parts.tvlUsd / count) * unitB) / perUnit));
    nets.set(lower, (nets.get(lower) ?? 0n) + amount);
    nets.set(upper, (nets.get(upper) ?? 0n) - amount);
    if (sl <= s && s < su) liquidity += amount;
  }
  const ticks = [...nets]
    .filter(([, net]) => net !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([tick, net]) => ({ tick, liquidityNet: net.toString() }));
  const sqrtPriceX64 = BigInt(Math.floor(s * 2 ** 40)) << 24n;
  return {
    id: parts.id,
    type: 'clmm',
    tokens: ends(parts),
    feePpm,
    sqrtPriceX64: (sqrtPriceX64 > 0n ? sqrtPriceX64 : BigInt(Math.floor(s * 2 ** 64))).toString(),
    liquidity: liquidity.toString(),
    ticks,
  };
}

function binPool(parts: PoolParts): SnapshotPool {
  const { random } = parts;
  const binStep = pick(random, [1, 2, 5, 10, 20, 25, 50, 80, 100, 125]);
  const exact = (parts.a.usd / parts.b.usd) * 10 ** (parts.b.decimals - parts.a.decimals) * parts.stale;
  const activeId = Math.round(Math.log(exact) / Math.log(1 + binStep / 1e4));
  const side = 10 + Math.floor(random() * 60);
  const perBin = parts.tvlUsd / 2 / side;
  const bins = range(2 * side + 1).map((n) => {
    const id = activeId - side + n;
    const wobble = 0.5 + random();
    const price = (1 + binStep / 1e4) ** id;
    const y = ((perBin * wobble) / parts.b.usd) * 10 ** parts.b.decimals;
    const part = id < activeId ? 1 : id > activeId ? 0 : random();
    return { id, x: whole((y / price) * (1 - part)), y: whole(y * part) };
  });
  return { id: parts.id, type: 'dlmm', tokens: ends(parts), feePpm: binStep * 100, binStep, activeId, bins };
}

function ends({ a, b }: PoolParts): [string, string] {
  return [a.id, b.id];
}

function token(id: string, random: Random, low: number, high: number): Token {
  const usd = Math.exp(Math.log(low) + random() * Math.log(high / low));
  return { id, decimals: usd < 0.01 ? 6 : pick(random, [6, 8, 9]), usd, depthUsd: 0 };
}

function units(amount: number, { decimals }: Token): bigint {
  return BigInt(Math.floor(amount * 10 ** decimals));
}

function whole(value: number): string {
  return BigInt(Math.floor(value)).toString();
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** mulberry32: a small seeded generator, the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

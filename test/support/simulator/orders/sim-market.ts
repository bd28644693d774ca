import { type Address, WSOL_MINT } from '@tradepost/solana';
import { type Bps, bps, bpsFloor, minimumOut } from '../../../../src/core/amounts/bps.ts';
import { AppError } from '../../../../src/core/errors/app-error.ts';
import type { Order } from '../../../../src/modules/orders/rules/order.ts';
import type { FireMarket, FireQuote } from '../../../../src/modules/orders/use/fire-market.ts';
import type { Nearness, PoolFeed, PoolsOfToken } from '../../../../src/platform/ports/pool-feed.ts';
import { SLOT_MS } from '../cluster.ts';
import type { FaultLevels } from '../fault-levels.ts';
import type { SimProcess } from '../process.ts';
import type { Random } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import type { PricePath } from './price-path.ts';
import type { TokenLife } from './token-life.ts';

export const TRADE_FEE: Bps = bps(100);

export type OrderWorld = {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly levels: () => FaultLevels;
  readonly slot: () => bigint;
  readonly paths: ReadonlyMap<Address, PricePath>;
  /** Of the tokens whose creator and depth orders wait for. */
  readonly lives: ReadonlyMap<Address, TokenLife>;
  /** Units that a wallet holds, by what has landed. */
  readonly held: (wallet: Address, mint: Address) => bigint;
};

/** What a trade of an order would bring at a slot, platform fee taken off. 0 = nothing. */
export function quotedAt(
  path: PricePath,
  slot: bigint,
  order: Pick<Order, 'side' | 'mint'>,
  units: bigint,
): bigint {
  const pool = path.poolAt(slot);
  if (order.side === 'buy') return pool.quote(WSOL_MINT, units - bpsFloor(units, TRADE_FEE));
  const gross = pool.quote(order.mint, units);
  return gross - bpsFloor(gross, TRADE_FEE);
}

/** Asks a node for the slot that it answers from: sometimes out of reach, sometimes some slots old. */
export function askedBy({ random, levels, slot }: OrderWorld, process: SimProcess): () => Promise<bigint> {
  return async () => {
    await process.sleep(random.between(1, levels().maxLatencyMs));
    if (random.chance(levels().unreachable))
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'sim', cause: 'outage' });
    const behind = random.chance(levels().lag) ? BigInt(random.between(1, 20)) : 0n;
    return slot() - behind;
  };
}

/** The market as one process sees it. */
export function simMarket(world: OrderWorld, process: SimProcess): FireMarket {
  const { paths, held } = world;
  const asked = askedBy(world, process);
  const pathOf = (mint: Address): PricePath => {
    const path = paths.get(mint);
    if (path === undefined) throw new Error('nothing trades it');
    return path;
  };
  const quote = (order: Order, units: bigint, at: bigint): FireQuote => {
    const quotedOut = quotedAt(pathOf(order.mint), at, order, units);
    if (quotedOut <= 0n) throw new AppError('NO_ROUTE', { mintIn: WSOL_MINT, mintOut: order.mint });
    const slippageBps = bps(order.terms.slippageBps);
    return {
      terms: {
        amountIn: units,
        quotedOut,
        minOut: minimumOut(quotedOut, slippageBps),
        platformFeeLamports: bpsFloor(order.side === 'buy' ? units : quotedOut, TRADE_FEE),
        priceImpactBps: 1,
        slippageBps,
        route: [],
      },
      safety: { level: 'OK', warnings: [] },
    };
  };
  return {
    sellable: async (wallet, mint) => {
      await asked();
      const available = held(wallet, mint);
      if (available > 0n) return { units: available, elsewhere: 0n };
      throw new AppError('INSUFFICIENT_TOKENS', { needed: 1n, available, decimals: 0 });
    },
    quote: async (order, _wallet, units) => quote(order, units, await asked()),
    parts: async (order) => {
      const at = await asked();
      return (units) => {
        const out = quotedAt(pathOf(order.mint), at, order, units);
        return out > 0n ? out : null;
      };
    },
    supply: async () => 0n,
    depth: async () => null,
  };
}

/** A feed that leaves slots out, goes silent for a while and comes back, as long as its process lives. */
export function simFeed(world: OrderWorld, process: SimProcess): PoolFeed {
  const { timeline, random, levels, slot, paths } = world;
  const how = random.pick(['followed', 'polled'] as const);
  let wanted: Nearness = new Map();
  let listener: (told: PoolsOfToken) => void = () => undefined;
  let haltedUntil = 0;
  const tick = async (): Promise<void> => {
    for (;;) {
      await process.sleep(how === 'followed' ? SLOT_MS : random.between(SLOT_MS, 3 * SLOT_MS));
      if (random.chance(levels().unreachable / 20))
        haltedUntil = timeline.now() + random.between(2_000, 40_000);
      if (timeline.now() < haltedUntil || random.chance(levels().lag / 4)) continue;
      const at = slot();
      for (const mint of wanted.keys()) {
        const pool = paths.get(mint)?.poolAt(at);
        if (pool !== undefined) listener({ mint, pools: [pool], slot: at, at: timeline.now(), how });
      }
    }
  };
  // It ends with its process, which the sleep says.
  tick().catch(() => undefined);
  return {
    watch: (next) => {
      wanted = next;
    },
    onPools: (told) => {
      listener = told;
    },
    stop: async () => undefined,
  };
}

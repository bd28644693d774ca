import { type Address, minBigint, WSOL_MINT } from '@tradepost/solana';
import { firstIdOfSlot, type TapeTrade } from '@tradepost/tape';
import { squareRoot } from '../../../core/amounts/square-root.ts';
import type { Market } from '../../market/rules/market.ts';
import type { Recipient } from './creator-moves.ts';
import type { OrderType } from './order.ts';

/** The state that an event is measured from: as it was when its order was placed. It is agreed and sealed with the order's terms. */
export type OrderEvent =
  | {
      readonly kind: 'dev-sells';
      readonly creator: Address;
      /** Units that the creator held, and units there were. */
      readonly held: bigint;
      readonly supply: bigint;
      /** Sales of later slots count. */
      readonly sinceSlot: bigint;
    }
  | {
      readonly kind: 'liquidity-falls';
      /** The share by which it falls, in hundredths of a percent. */
      readonly fallBps: number;
      /** `liquidityOf` then, above zero. */
      readonly liquidity: bigint;
      /** A curve held all of it: without that curve and without a pool nothing is known. */
      readonly onCurve: boolean;
    };

export type DevSells = Extract<OrderEvent, { kind: 'dev-sells' }>;
export type LiquidityFalls = Extract<OrderEvent, { kind: 'liquidity-falls' }>;

/** Whether a type fires by an event and not by a price or a time. */
export function isEventType(type: OrderType): type is 'DEV_SELLS' | 'LIQUIDITY_FALLS' {
  return type === 'DEV_SELLS' || type === 'LIQUIDITY_FALLS';
}

export type EventTrade = Pick<TapeTrade, 'id' | 'marketId' | 'side' | 'base' | 'quote' | 'trader'>;
export type EventMarket = Pick<Market, 'id' | 'baseMint' | 'quoteMint'>;

/**
 * Units of `mint` that the creator sold since the order was placed, over all these markets. A wallet that got tokens of the creator after
 * the placing sells for the creator, up to the units that it got. Where the token is a market's quote, a purchase of the other token sells
 * it. A trade that a fork took back is not on the tape and counts no more.
 */
export function devSold(
  { creator, sinceSlot }: Pick<DevSells, 'creator' | 'sinceSlot'>,
  mint: Address,
  markets: readonly EventMarket[],
  trades: readonly EventTrade[],
  recipients: readonly Recipient[] = [],
): bigint {
  const known = new Map(markets.map((market) => [market.id, market]));
  const soldBy = (seller: Address, from: bigint): bigint =>
    trades.reduce((sum, { id, marketId, side, base, quote, trader }) => {
      const market = known.get(marketId);
      if (market === undefined || trader !== seller || id < from) return sum;
      if (market.baseMint === mint) return side === 'sell' ? sum + base : sum;
      return market.quoteMint === mint && side === 'buy' ? sum + quote : sum;
    }, 0n);
  return recipients.reduce(
    (sum, { wallet, units, fromSlot }) => sum + minBigint(units, soldBy(wallet, firstIdOfSlot(fromSlot))),
    soldBy(creator, firstIdOfSlot(sinceSlot + 1n)),
  );
}

/** Whether these sales are 1 % of the supply, or half of what the creator held. One that held nothing has no half. */
export function isDevSale({ supply, held }: Pick<DevSells, 'supply' | 'held'>, sold: bigint): boolean {
  if (sold <= 0n) return false;
  return sold * 100n >= supply || (held > 0n && sold * 2n >= held);
}

/** A pool as its liquidity is judged. */
export type EventPool = {
  readonly mints: readonly [Address, Address];
  readonly shape?:
    | { readonly kind: 'constant-product'; readonly reserves: readonly [bigint, bigint] }
    | { readonly kind: 'launch-curve'; readonly virtualReserves: readonly [bigint, bigint] }
    | { readonly kind: 'concentrated' | 'bins' };
};

/** Whether a pool's liquidity is known: it keeps base × quote, and its quote is SOL. */
export function countsAsLiquid({ mints, shape }: EventPool, mint: Address): boolean {
  if (!mints.includes(mint) || !mints.includes(WSOL_MINT)) return false;
  return shape?.kind === 'constant-product' || shape?.kind === 'launch-curve';
}

/**
 * The liquidity of a token: √(base · quote), summed over its pools with SOL that keep this product. A purchase or a sale leaves it as it is,
 * at any price; only who gives or takes both sides changes it. Null where no pool of the token is known. Rounded down.
 */
export function liquidityOf(
  pools: readonly EventPool[],
  mint: Address,
): { readonly liquidity: bigint; readonly onCurve: boolean } | null {
  const own = pools.filter(({ mints }) => mints.includes(mint));
  if (own.length === 0) return null;
  const counted = own.filter((pool) => countsAsLiquid(pool, mint));
  const liquidity = counted.reduce((sum, { shape }) => sum + rootOf(shape), 0n);
  return {
    liquidity,
    onCurve: counted.length > 0 && counted.every(({ shape }) => shape?.kind === 'launch-curve'),
  };
}

/** Whether the liquidity of now lies as far below that of the placing as was agreed, or further. */
export function isLiquidityFall(
  { fallBps, liquidity, onCurve }: Pick<LiquidityFalls, 'fallBps' | 'liquidity' | 'onCurve'>,
  now: ReturnType<typeof liquidityOf>,
): boolean {
  if (now === null) return false;
  // A curve that is complete gives no quotes, and its pool is not found yet: that is no fall.
  if (onCurve && now.liquidity === 0n) return false;
  return now.liquidity <= leastLiquidity({ fallBps, liquidity });
}

/** The liquidity at which the order fires. Rounded down. */
export function leastLiquidity({
  fallBps,
  liquidity,
}: Pick<LiquidityFalls, 'fallBps' | 'liquidity'>): bigint {
  return (liquidity * BigInt(10_000 - fallBps)) / 10_000n;
}

function rootOf(shape: EventPool['shape']): bigint {
  if (shape?.kind === 'constant-product') return squareRoot(shape.reserves[0] * shape.reserves[1]);
  if (shape?.kind === 'launch-curve') return squareRoot(shape.virtualReserves[0] * shape.virtualReserves[1]);
  return 0n;
}

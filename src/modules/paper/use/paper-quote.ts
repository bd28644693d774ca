import { type Address, LAMPORTS_PER_SIGNATURE, minBigint, WSOL_MINT } from '@tradepost/solana';
import { bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { FeesAt } from '../../../engine/fees/rules/fee-table.ts';
import { type TokenSafety, tokenSafety } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { routeOrNull } from '../../trading/use/choose-way.ts';
import { loadFreshPools } from '../../trading/use/fresh-pools.ts';
import { loadTradable } from '../../trading/use/load-token.ts';
import type { TradeDeps } from '../../trading/use/trading-deps.ts';
import type { PaperFill } from '../rules.ts';

export type PaperOrder =
  | { readonly side: 'buy'; readonly mint: Address; readonly lamports: bigint }
  | { readonly side: 'sell'; readonly mint: Address; readonly units: bigint };

/** The result of an order on the pools as they are now. */
export type PaperQuote = {
  readonly side: 'buy' | 'sell';
  readonly token: Token;
  readonly safety: TokenSafety;
  /** A purchase: lamports spent, all fees in. A sale: lamports that would arrive, all fees off. */
  readonly fill: PaperFill;
  /** This service's, in lamports, and the network's. */
  readonly platformFeeLamports: bigint;
  readonly networkFeeLamports: bigint;
  /** Of the oldest pool that it was worked out on. */
  readonly slot: bigint;
};

/**
 * The best route of our own over the live pools, for no wallet: nothing is built, signed or stored. Throws NO_ROUTE, AMOUNT_DUST for an
 * amount of which nothing comes back, TOKEN_NOT_FOUND, CHAIN_UNREACHABLE, and VENUES_UNREACHABLE instead of NO_ROUTE where a venue could
 * not be asked.
 */
export async function paperQuote(
  deps: TradeDeps & { readonly fees: FeesAt },
  order: PaperOrder,
): Promise<PaperQuote> {
  const token = await loadTradable(deps.chain, order.mint);
  const isBuy = order.side === 'buy';
  const way = isBuy ? { mintIn: WSOL_MINT, mintOut: token.mint } : { mintIn: token.mint, mintOut: WSOL_MINT };
  const others = Promise.all([deps.chain.epoch(), deps.lookupTables?.usable()]);
  const { pools, unasked, others: known } = await loadFreshPools(deps, way, others);
  const [epoch, lookupTables = []] = known;
  const { tradeBps } = deps.fees(deps.clock.now());
  const fee = isBuy ? bpsFloor(order.lamports, tradeBps) : 0n;
  const amountIn = isBuy ? order.lamports - fee - LAMPORTS_PER_SIGNATURE : order.units;
  if (amountIn <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  const route = routeOrNull(pools, { ...way, amountIn, lookupTables });
  if (route === null && unasked.length > 0) throw new AppError('VENUES_UNREACHABLE', { venues: unasked });
  if (route === null) throw new AppError('NO_ROUTE', way);
  const saleFee = isBuy ? 0n : bpsFloor(route.amountOut, tradeBps);
  const arrives = isBuy ? route.amountOut : route.amountOut - saleFee - LAMPORTS_PER_SIGNATURE;
  if (arrives <= 0n) throw new AppError('AMOUNT_DUST', { minimum: null });
  return {
    side: order.side,
    token,
    safety: tokenSafety(token, { epoch, wellKnown: deps.wellKnown }),
    fill: {
      mint: token.mint,
      decimals: token.decimals,
      units: isBuy ? arrives : order.units,
      lamports: isBuy ? order.lamports : arrives,
    },
    platformFeeLamports: fee + saleFee,
    networkFeeLamports: LAMPORTS_PER_SIGNATURE,
    slot: pools.reduce((oldest, pool) => minBigint(oldest, pool.slot), pools[0]?.slot ?? 0n),
  };
}

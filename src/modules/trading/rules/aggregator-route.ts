import { type Address, type Instruction, maxBigint, WSOL_MINT } from '@tradepost/solana';
import type { Pool, PoolSwap } from '@tradepost/venues';
import type { LookupTable } from '../../../engine/lookup-tables/rules/lookup-table.ts';
import type { AggregatorHop } from '../../../platform/ports/aggregator.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { onAccounts } from './aggregator-swap.ts';
import { priceImpactBps } from './price-impact.ts';
import type { Route } from './route.ts';
import type { SwapOrder } from './swap-order.ts';

/** The facts that a transfer of a token has to name. */
export type SwapToken = Pick<Token, 'mint' | 'tokenProgram' | 'decimals'>;

/** An aggregator's offer as far as a route shows it. */
export type AggregatorOffer = {
  readonly aggregator: {
    readonly name: string;
    readonly label: string;
    readonly programs: readonly Address[];
  };
  readonly amountOut: bigint;
  readonly priceImpactBps: number;
  readonly hops: readonly AggregatorHop[];
};

/** The swap taken over from its transaction, and the balances of the trader's accounts at that moment. */
export type AggregatorSwap = {
  readonly swaps: readonly Instruction[];
  readonly lookupTables: readonly LookupTable[];
  /** Associated accounts that the swap names. */
  readonly source: Address;
  readonly destination: Address;
  readonly heldIn: bigint;
  readonly heldOut: bigint;
  readonly tokenIn: SwapToken;
  readonly tokenOut: SwapToken;
  readonly slot: bigint;
};

/**
 * The offer as a route of one leg, so that it is priced, shown, assembled, simulated and policed as our own routes are. With
 * `swap` null it can be shown and compared only: its leg has no instructions. The price impact is measured against our own
 * pools of the pair where there are any.
 */
export function aggregatorRoute(
  programs: Pick<Programs, 'transferToken'>,
  order: SwapOrder,
  offer: AggregatorOffer,
  input: { readonly pools: readonly Pool[]; readonly slot: bigint; readonly swap: AggregatorSwap | null },
): Route {
  const { mintIn, mintOut, amountIn } = order;
  const { amountOut, aggregator, hops } = offer;
  const pool = aggregatorPool(programs, order, offer, input);
  const own = input.pools.filter((one) => one.mints.includes(mintIn) && one.mints.includes(mintOut));
  return {
    mintIn,
    mintOut,
    amountIn,
    amountOut,
    legs: [{ pool, mintIn, mintOut, amountIn, amountOut, leastOut: null, shareBps: 10_000 }],
    intermediates: [],
    remainders: [],
    singlePoolOut:
      own.length === 0 ? null : own.reduce((most, one) => maxBigint(most, one.quote(mintIn, amountIn)), 0n),
    priceImpactBps:
      own.length === 0
        ? offer.priceImpactBps
        : Math.max(...own.map((one) => priceImpactBps(one, mintIn, amountIn, amountOut))),
    slot: input.slot,
    aggregator: { label: aggregator.label, hops, lookupTables: input.swap?.lookupTables ?? [] },
  };
}

function aggregatorPool(
  programs: Pick<Programs, 'transferToken'>,
  order: SwapOrder,
  { aggregator, amountOut }: AggregatorOffer,
  { slot, swap }: { readonly slot: bigint; readonly swap: AggregatorSwap | null },
): Pool {
  return {
    id: aggregator.programs[0] ?? order.mintOut,
    venue: aggregator.name,
    label: aggregator.label,
    mints: [order.mintIn, order.mintOut],
    slot,
    // The offer holds for exactly this order and for no other.
    quote: (mintIn, amountIn) => (mintIn === order.mintIn && amountIn === order.amountIn ? amountOut : 0n),
    spot: () => ({ numerator: amountOut, denominator: order.amountIn }),
    swap: (wanted) => (swap === null ? [] : guarded(programs, swap, wanted)),
  };
}

/**
 * The aggregator's swap between two facts that the chain itself checks afterwards, for any arguments and any author of the swap. The
 * account of the bought token holds at least its earlier balance and the minimum. The account of the sold token holds at least its earlier
 * balance less the amount. A transfer of that balance from the account to itself moves nothing and fails when it is not there. A
 * wrapped-SOL account of this trade needs no second check: it never held more than the amount.
 */
function guarded(
  programs: Pick<Programs, 'transferToken'>,
  swap: AggregatorSwap,
  { owner, amountIn, minOut, source, destination }: PoolSwap,
): readonly Instruction[] {
  const { tokenIn, tokenOut } = swap;
  const holds = (account: Address, token: SwapToken, amount: bigint): Instruction =>
    programs.transferToken({
      source: account,
      destination: account,
      mint: token.mint,
      owner,
      amount,
      decimals: token.decimals,
      tokenProgram: token.tokenProgram,
    });
  const sellsSol = tokenIn.mint === WSOL_MINT;
  const buysSol = tokenOut.mint === WSOL_MINT;
  if ((!sellsSol && source !== swap.source) || (!buysSol && destination !== swap.destination)) {
    throw new RangeError('an aggregator trades on associated accounts only');
  }
  const left = maxBigint(0n, swap.heldIn - amountIn);
  return [
    ...onAccounts(
      swap.swaps,
      new Map([
        [swap.source, source],
        [swap.destination, destination],
      ]),
    ),
    ...(sellsSol || left === 0n ? [] : [holds(source, tokenIn, left)]),
    holds(destination, tokenOut, (buysSol ? 0n : swap.heldOut) + minOut),
  ];
}

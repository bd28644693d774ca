import type { Address } from '@tradepost/solana';
import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { createPlatformFee } from '../../engine/fees/use/platform-fee.ts';
import type { Spending } from '../guard/index.ts';
import type { Market } from '../market/index.ts';
import type { Points } from '../points/index.ts';
import { dexQuote } from './api/dex-quote.ts';
import { dexSenders } from './api/dex-senders.ts';
import { dexSwap } from './api/dex-swap.ts';
import { dexSwapInstructions } from './api/dex-swap-instructions.ts';
import { dexSwapQuote } from './api/dex-swap-quote.ts';
import { dexVenues } from './api/dex-venues.ts';
import { tradeFeature } from './chat/index.ts';
import { receiptFeature } from './chat/receipt.ts';
import { slippageNow } from './use/auto-slippage.ts';
import { confirmTrade } from './use/confirm-trade.ts';
import { createExitCheck } from './use/exit-check.ts';
import { findSandwich } from './use/find-sandwich.ts';
import { freshPools } from './use/fresh-pools.ts';
import { judgeTrades } from './use/judge-trades.ts';
import { marketDepth } from './use/market-depth.ts';
import { offerTip } from './use/offer-tip.ts';
import { mintsOf } from './use/own-wallet.ts';
import { createPollFeed } from './use/poll-pools.ts';
import { createPoolQuarantine } from './use/pool-quarantine.ts';
import { createPoolRehearsal } from './use/pool-rehearsal.ts';
import { quoteAsAsked } from './use/quote-as-asked.ts';
import { quoteTrade } from './use/quote-trade.ts';
import { slippageThatPasses } from './use/slippage-that-passes.ts';
import { safetyNow } from './use/token-safety.ts';
import { liquidity, tradeCard } from './use/trade-card.ts';
import type { TradeDeps } from './use/trading-deps.ts';

/** Prices and routes of trades, for every noun that trades or shows a price. It comes before the gate, which asks it about tokens. */
export function createPricing(world: World, { points }: { readonly points: Points }) {
  const { chain, clock, fees, log, aggregatorQuotes, lookupTables, routerProgram } = world;
  const treasury = world.treasury.address;
  const exitCheck = createExitCheck({ ...world, treasury });
  const trade: TradeDeps = {
    chain,
    clock,
    treasury,
    venues: world.venues,
    programs: world.programs,
    wellKnown: world.wellKnown,
    hubs: world.hubs,
    maxStateAgeMs: world.maxStateAgeMs,
    exitCheck,
    poolRehearsal: createPoolRehearsal({ ...world, treasury }),
    platformFee: createPlatformFee({ chain, clock, treasury, fees, discountBps: points.discountBps }),
    poolQuarantine: createPoolQuarantine({ clock, log: log.child({ module: 'trading' }) }),
    ...(aggregatorQuotes === undefined ? {} : { aggregatorQuotes }),
    ...(lookupTables === undefined ? {} : { lookupTables }),
    ...(routerProgram === undefined ? {} : { routerProgram }),
  };
  return {
    trade,
    exitCheck,
    depth: liquidity,
    /** The pools of a token on the ways to SOL, as they are now. */
    poolsToSell: async (mint: Address) => (await freshPools(trade, mintsOf('sell', mint))()).pools,
    /** Looks at the pools of watched tokens, at most so many a second. */
    watchPools: (perSecond: number) =>
      createPollFeed({
        load: (mint) => freshPools(trade, mintsOf('buy', mint))(),
        clock,
        perSecond,
        ...(world.poolChanges ? { changes: world.poolChanges } : {}),
        onProblem: (mint, err) => log.warn({ mint, err }, 'pools of a watched token could not be read'),
      }),
    /** The quote of a trade as it would be signed. */
    quote: bind(quoteTrade, trade),
    /** The warnings of a token as a quote of its purchase has them. */
    safety: bind(safetyNow, trade),
    /** The quote with the slippage that a person's settings ask for. */
    quoteAsAsked: bind(quoteAsAsked, {
      ...trade,
      db: world.db,
      tape: world.tape,
      markets: world.markets,
      verdicts: world.verdicts,
    }),
  };
}

export type Pricing = ReturnType<typeof createPricing>;

/** Trades of a person: the card, its quotes, and the confirmation. */
export function createTrading(
  world: World,
  {
    pricing: { trade, quoteAsAsked: quote },
    spending,
    market: { solPrice },
  }: { readonly pricing: Pricing; readonly spending: Spending; readonly market: Market },
) {
  return {
    tradeCard: bind(tradeCard, { ...trade, solPrice }),
    quoteTrade: quote,
    slippageNow: bind(slippageNow, world),
    slippageThatPasses: bind(slippageThatPasses, { ...trade, db: world.db }),
    findSandwich: bind(findSandwich, world),
    offerTip: bind(offerTip, { ...world, tipCapLamports: world.tips.capLamports, random: Math.random }),
    marketDepth: bind(marketDepth, trade),
    confirmTrade: bind(confirmTrade, { ...trade, ...spending.confirmingFor('trade') }),
    judgeTrades: () => judgeTrades(world),
  };
}

/** The parts that it plugs in. */
export const tradingModule = {
  name: 'trading',
  features: [tradeFeature, receiptFeature],
  routes: [dexSwap, dexSwapQuote, dexSwapInstructions, dexQuote, dexVenues, dexSenders],
} satisfies Module;

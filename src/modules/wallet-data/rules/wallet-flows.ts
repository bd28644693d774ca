import type { Address } from '@tradepost/solana';
import type { TapeTrade } from '@tradepost/tape';
import type { Market } from '../../market/rules/market.ts';

/** Days that sums are kept, today among them. */
export const KEPT_DAYS = 180;
export const DAY_SECONDS = 86_400;
/** A dollar is 10^6 of the units in which sums are kept. */
export const USD_DECIMALS = 6;

/** By which tokens a trade is valued. */
export type Money = {
  readonly sol: Address /** Worth a dollar by definition. */;
  readonly dollars: readonly Address[];
};

/** The trades of a wallet in one token: units of it, lamports, and millionths of a dollar. */
export type FlowSums = {
  readonly bought: bigint;
  readonly costLamports: bigint;
  readonly costUsd: bigint;
  readonly sold: bigint;
  readonly proceedsLamports: bigint;
  readonly proceedsUsd: bigint;
  /** All that were read, those without a value among them. */
  readonly trades: number;
  /** Trades against a token that is neither SOL nor a dollar: their units are in no sum. */
  readonly unvalued: number;
};

/** The sums of one wallet, token and UTC day; `day` counts from 1970-01-01. */
export type WalletFlow = FlowSums & {
  readonly trader: Address;
  readonly mint: Address;
  readonly day: number;
};

export const NO_FLOW: FlowSums = {
  bought: 0n,
  costLamports: 0n,
  costUsd: 0n,
  sold: 0n,
  proceedsLamports: 0n,
  proceedsUsd: 0n,
  trades: 0,
  unvalued: 0,
};

export type FlowMarket = Pick<Market, 'baseMint' | 'quoteMint' | 'baseDecimals' | 'quoteDecimals'>;

/** The UTC day of a moment in Unix seconds. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_SECONDS);
}

/** The first day that is still kept at a moment in Unix seconds. */
export function firstKeptDay(now: number): number {
  return dayOf(now) - KEPT_DAYS + 1;
}

export function addFlows(one: FlowSums, other: FlowSums): FlowSums {
  return {
    bought: one.bought + other.bought,
    costLamports: one.costLamports + other.costLamports,
    costUsd: one.costUsd + other.costUsd,
    sold: one.sold + other.sold,
    proceedsLamports: one.proceedsLamports + other.proceedsLamports,
    proceedsUsd: one.proceedsUsd + other.proceedsUsd,
    trades: one.trades + other.trades,
    unvalued: one.unvalued + other.unvalued,
  };
}

/**
 * Trades as sums per wallet, token and day, in no order; each trade counts once, however often it is given. The token is the side that is
 * not money; a dollar values SOL. The parts are exact to the unit, save a dollar with more than six decimals, whose rest is cut off per trade.
 */
export function walletFlows(
  trades: readonly TapeTrade[],
  marketOf: (marketId: number) => FlowMarket,
  money: Money,
): readonly WalletFlow[] {
  const sums = new Map<string, WalletFlow>();
  const given = new Map(trades.map((trade) => [trade.id, trade]));
  for (const trade of given.values()) {
    const day = dayOf(trade.at);
    for (const { mint, ...flow } of flowsOf(trade, marketOf(trade.marketId), money)) {
      const key = `${trade.trader} ${mint} ${day}`;
      const known = sums.get(key);
      sums.set(key, { trader: trade.trader, mint, day, ...addFlows(known ?? NO_FLOW, flow) });
    }
  }
  return [...sums.values()];
}

/** One trade as its wallet's flows: of one token, or of both where neither is money. */
function flowsOf(
  { side, base, quote }: TapeTrade,
  market: FlowMarket,
  money: Money,
): readonly (FlowSums & { readonly mint: Address })[] {
  const { baseMint, quoteMint } = market;
  const paidIn = payment(market, money);
  if (paidIn === null) {
    const flow = { ...NO_FLOW, trades: 1, unvalued: 1 };
    return [
      { mint: baseMint, ...flow },
      { mint: quoteMint, ...flow },
    ];
  }
  const inQuote = paidIn === 'quote';
  const [mint, units] = inQuote ? [baseMint, base] : [quoteMint, quote];
  const [moneyMint, paid, decimals] = inQuote
    ? [quoteMint, quote, market.quoteDecimals]
    : [baseMint, base, market.baseDecimals];
  const lamports = moneyMint === money.sol ? paid : 0n;
  const usd = moneyMint === money.sol ? 0n : microUsd(paid, decimals);
  // The side is the base token's: who sells it for the quote token buys that.
  const isBuy = (side === 'buy') === inQuote;
  const flow = isBuy
    ? { ...NO_FLOW, bought: units, costLamports: lamports, costUsd: usd }
    : { ...NO_FLOW, sold: units, proceedsLamports: lamports, proceedsUsd: usd };
  return [{ mint, ...flow, trades: 1 }];
}

/** The side of a market that is money: a dollar before SOL, the quote before the base. */
function payment({ baseMint, quoteMint }: FlowMarket, { sol, dollars }: Money): 'base' | 'quote' | null {
  if (dollars.includes(quoteMint)) return 'quote';
  if (dollars.includes(baseMint)) return 'base';
  if (quoteMint === sol) return 'quote';
  return baseMint === sol ? 'base' : null;
}

function microUsd(units: bigint, decimals: number): bigint {
  return decimals <= USD_DECIMALS
    ? units * 10n ** BigInt(USD_DECIMALS - decimals)
    : units / 10n ** BigInt(decimals - USD_DECIMALS);
}

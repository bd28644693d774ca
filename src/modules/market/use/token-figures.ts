import { type Address, WSOL_MINT } from '@tradepost/solana';
import { changePercent } from '@tradepost/tape';
import { dollarChange, type TwoPrices } from '../rules/dollar-change.ts';
import type { UsdPrice } from '../rules/usd-price.ts';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';

/**
 * The market figures of a token for every screen, page and answer: one source, so that one word is one number. Null is "not known", never
 * 0. For reading: no amount of money is worked out from it.
 */
export type TokenFigures = {
  /** As it is shown: also of a token whose pools are too thin to be valued by; see `shownPrices`. */
  readonly price: UsdPrice | null;
  /** Whole SOL for one whole token. */
  readonly priceSol: number | null;
  /** Twice the amount that could be taken out of all pools whose other side has a price, in dollars. */
  readonly liquidityUsd: number | null;
  /** Of the price in dollars over 24 hours, in percent; null where the quote token's dollars are not known at both times. */
  readonly change24h: number | null;
  /** Of the price in its primary market over 24 hours, in percent; null where it has no price that old. */
  readonly change24hQuote: number | null;
  /** Over all markets. */
  readonly volume24hUsd: number | null;
} & TokenMarkets;

/** The figures of one mint. */
export function figuresOf(snapshot: MarketSnapshot, mint: Address): TokenFigures {
  const { entries, primary } = tokenMarkets(snapshot, mint);
  const price = snapshot.shown.get(mint) ?? null;
  const own = pricesOf(primary);
  return {
    price,
    priceSol: priceInSol(snapshot, mint),
    liquidityUsd: price?.liquidityUsd ?? null,
    change24h: dollarChange(own, quotePrices(snapshot, primary)),
    change24hQuote: own === null ? null : changePercent(own.now, own.before),
    volume24hUsd: volumeUsd(entries),
    entries,
    primary,
  };
}

/** The whole supply at a price, the units of creators and pools included; in dollars. */
export function capUsd(
  price: Pick<UsdPrice, 'usd'> | null,
  { supply, decimals }: { readonly supply: bigint; readonly decimals: number },
): number | null {
  return price === null ? null : (Number(supply) / 10 ** decimals) * price.usd;
}

/** The facts of a snapshot about a token's markets. */
export type TokenMarkets = {
  /** Those that trade it, as base or as quote, by address. */
  readonly entries: readonly MarketEntry[];
  /** The deepest of those in which it is the base; null where there is none. */
  readonly primary: MarketEntry | null;
};

const NONE: TokenMarkets = { entries: [], primary: null };
const known = new WeakMap<MarketSnapshot, ReadonlyMap<Address, TokenMarkets>>();

/** Worked out once per snapshot. */
export function tokenMarkets(snapshot: MarketSnapshot, mint: Address): TokenMarkets {
  const made = known.get(snapshot) ?? marketsByMint(snapshot);
  known.set(snapshot, made);
  return made.get(mint) ?? NONE;
}

function marketsByMint({ entries }: MarketSnapshot): ReadonlyMap<Address, TokenMarkets> {
  const byMint = new Map<Address, MarketEntry[]>();
  for (const entry of entries) {
    const { baseMint, quoteMint } = entry.market;
    for (const mint of [baseMint, quoteMint]) {
      const known = byMint.get(mint);
      if (known === undefined) byMint.set(mint, [entry]);
      else known.push(entry);
    }
  }
  return new Map([...byMint].map(([mint, own]) => [mint, { entries: own, primary: primaryOf(mint, own) }]));
}

function primaryOf(mint: Address, entries: readonly MarketEntry[]): MarketEntry | null {
  const own = entries.filter(({ market }) => market.baseMint === mint);
  const [best] = own.toSorted(
    (a, b) => depthUsd(b) - depthUsd(a) || Number(b.market.primary) - Number(a.market.primary),
  );
  return best ?? null;
}

/** Of the side that is paid in; 0 where unknown. */
export function depthUsd({ market, quoteReserve, quoteUsd }: MarketEntry): number {
  if (quoteReserve === null || quoteUsd === null) return 0;
  return (Number(quoteReserve) / 10 ** market.quoteDecimals) * quoteUsd.usd;
}

/** Over all markets of a token; null where none of them has a dollar price. */
function volumeUsd(entries: readonly MarketEntry[]): number | null {
  const told = entries.flatMap(({ market, stats, quoteUsd }) =>
    quoteUsd === null ? [] : [(Number(stats?.quote ?? 0n) / 10 ** market.quoteDecimals) * quoteUsd.usd],
  );
  return told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0);
}

/** One whole token in whole SOL, by the price that is shown. */
function priceInSol({ shown, usd }: MarketSnapshot, mint: Address): number | null {
  if (mint === WSOL_MINT) return 1;
  const [own, sol] = [shown.get(mint), usd.get(WSOL_MINT)];
  return own === undefined || sol === undefined ? null : own.usd / sol.usd;
}

/** Its price now and 24 hours ago; a younger market's was never that old. */
function pricesOf(entry: MarketEntry | null): TwoPrices {
  const stats = entry?.stats ?? null;
  if (stats === null || stats.last === null) return null;
  return { now: stats.last.price, before: stats.firstIsBefore ? (stats.first?.price ?? null) : null };
}

/** The dollar price of a market's quote token at both times, by its own deepest market against a dollar. */
function quotePrices(snapshot: MarketSnapshot, entry: MarketEntry | null): TwoPrices | 'dollar' {
  if (entry === null) return null;
  const { quoteMint } = entry.market;
  return isDollar(snapshot, quoteMint) ? 'dollar' : pricesOf(inDollars(snapshot, quoteMint));
}

/** Worth a dollar by definition. */
export function isDollar(snapshot: MarketSnapshot, mint: Address): boolean {
  const price = snapshot.usd.get(mint);
  return price !== undefined && price.liquidityUsd === null;
}

/** The deepest market of a mint that counts it in dollars; null where there is none. */
export function inDollars(snapshot: MarketSnapshot, mint: Address): MarketEntry | null {
  const { entries } = tokenMarkets(snapshot, mint);
  return primaryOf(
    mint,
    entries.filter(({ market }) => isDollar(snapshot, market.quoteMint)),
  );
}

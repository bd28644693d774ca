import type { Address } from '../../../core/address/address.ts';
import { WSOL_MINT } from '../../../core/address/programs.ts';
import { imitatedToken } from '../../tokens/rules/look-alike.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { IndexedToken } from '../../tokens/store-port.ts';
import { dollarChange, type TwoPrices } from '../rules/dollar-change.ts';
import { changePercent } from '../rules/price.ts';
import type { UsdPrice } from '../rules/usd-price.ts';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';

/** What a list says of a token. Null is "not known", never 0. Symbol and name are hostile text. */
export type TokenSummary = {
  readonly mint: Address;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly decimals: number;
  /** Well known, or vouched for by the operator. */
  readonly verified: boolean;
  /** The better known token that it may be taken for. */
  readonly imitates: Address | null;
  readonly madeHere: boolean;
  readonly price: UsdPrice | null;
  readonly priceSol: number | null;
  /** Of the price in dollars over 24 hours, in percent; null where the quote token's dollars are not known at both times. */
  readonly change24h: number | null;
  /** Of the price in its primary market over 24 hours, or since its first trade; in percent. */
  readonly change24hQuote: number | null;
  readonly volume24hUsd: number | null;
  readonly primaryMarket: Address | null;
  /** Epoch milliseconds at which this desk first saw it. */
  readonly firstSeenAt: number;
};

/** What a snapshot says of a token's markets. */
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
    for (const mint of [baseMint, quoteMint]) byMint.set(mint, [...(byMint.get(mint) ?? []), entry]);
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

/** Of the side that is paid in; 0 where nobody knows. */
export function depthUsd({ market, quoteReserve, quoteUsd }: MarketEntry): number {
  if (quoteReserve === null || quoteUsd === null) return 0;
  return (Number(quoteReserve) / 10 ** market.quoteDecimals) * quoteUsd.usd;
}

/** Over all markets of a token; null where none of them can be told in dollars. */
export function volumeUsd(entries: readonly MarketEntry[]): number | null {
  const told = entries.flatMap(({ market, stats, quoteUsd }) =>
    quoteUsd === null ? [] : [(Number(stats?.quote ?? 0n) / 10 ** market.quoteDecimals) * quoteUsd.usd],
  );
  return told.length === 0 ? null : told.reduce((sum, one) => sum + one, 0);
}

/** The token that a reader may take this one for; a verified one imitates nobody. */
export function imitatedBy(token: IndexedToken, wellKnown: readonly WellKnownToken[]): Address | null {
  if (isVerified(token.mint, wellKnown)) return null;
  return imitatedToken(token, wellKnown) ?? token.imitates;
}

export function isVerified(mint: Address, wellKnown: readonly WellKnownToken[]): boolean {
  return wellKnown.some((one) => one.mint === mint);
}

export function priceInSol(snapshot: MarketSnapshot, mint: Address): number | null {
  const [own, sol] = [snapshot.usd.get(mint), snapshot.usd.get(WSOL_MINT)];
  return own === undefined || sol === undefined ? null : own.usd / sol.usd;
}

/** Its price now and 24 hours ago; a younger market's was never that old. */
function pricesOf(entry: MarketEntry | null): TwoPrices {
  const stats = entry?.stats ?? null;
  if (stats === null || stats.last === null) return null;
  return { now: stats.last.price, before: stats.firstIsBefore ? (stats.first?.price ?? null) : null };
}

/** What the quote token of a market was in dollars at both times, by its own deepest market against a dollar. */
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

export function tokenSummary(
  snapshot: MarketSnapshot,
  token: IndexedToken,
  wellKnown: readonly WellKnownToken[],
): TokenSummary {
  const { mint, symbol, name, decimals, madeHere, firstSeenAt } = token;
  const { entries, primary } = tokenMarkets(snapshot, mint);
  const stats = primary?.stats ?? null;
  return {
    mint,
    symbol,
    name,
    decimals,
    verified: isVerified(mint, wellKnown),
    imitates: imitatedBy(token, wellKnown),
    madeHere,
    price: snapshot.usd.get(mint) ?? null,
    priceSol: priceInSol(snapshot, mint),
    change24h: dollarChange(pricesOf(primary), quotePrices(snapshot, primary)),
    change24hQuote: stats?.last == null ? null : changePercent(stats.last.price, stats.first?.price ?? null),
    volume24hUsd: volumeUsd(entries),
    primaryMarket: primary?.market.address ?? null,
    firstSeenAt,
  };
}

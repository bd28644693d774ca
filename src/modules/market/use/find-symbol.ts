import { isAddress } from '@tradepost/solana';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';

/**
 * The market that a symbol means: its address, `BASE/QUOTE`, or a bare ticker. Of several the primary one of the pair, of
 * several pairs the one with the most trades in 24 hours. Letters count as they are written first, then without case.
 */
export function findSymbol(snapshot: MarketSnapshot, symbol: string): MarketEntry | null {
  if (isAddress(symbol)) {
    const entry = snapshot.byAddress.get(symbol);
    if (entry !== undefined) return entry;
  }
  return (
    best(snapshot, (name) => name === symbol) ??
    best(snapshot, (name) => name.toLowerCase() === symbol.toLowerCase())
  );
}

/** Markets whose name or tickers begin with a text, then those that contain it; primaries only. */
export function searchSymbols(snapshot: MarketSnapshot, text: string, limit: number): readonly MarketEntry[] {
  const wanted = text.toLowerCase();
  const rankOf = ({ market }: MarketEntry): number => {
    const name = market.name.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) || market.address === text ? 1 : 2;
  };
  return snapshot.entries
    .filter((entry) => (entry.market.primary || entry.market.address === text) && rankOf(entry) < 2)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || busier(one, other))
    .slice(0, limit);
}

function best({ entries }: MarketSnapshot, isMeant: (name: string) => boolean): MarketEntry | null {
  const meant = entries.filter(({ market }) => isMeant(market.name) || isMeant(market.baseTicker));
  const [first] = meant.toSorted(
    (one, other) => Number(other.market.primary) - Number(one.market.primary) || busier(one, other),
  );
  return first ?? null;
}

function busier(one: MarketEntry, other: MarketEntry): number {
  const difference = (other.stats?.n ?? 0) - (one.stats?.n ?? 0);
  return difference !== 0 ? difference : one.market.address < other.market.address ? -1 : 1;
}

import type { Address } from '@tradepost/solana';
import type { Candle } from '@tradepost/tape';
import { hasCode } from '../../../core/errors/app-error.ts';
import { apart } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import { mintSupply } from '../../tokens/rules/mint-supply.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { IndexedToken, TokenIndex } from '../../tokens/store-port.ts';
import { dollarChange } from '../rules/dollar-change.ts';
import { BAR_MINUTES, pricesOver, RECENT_MINUTES, type RecentMinutes } from '../rules/recent-change.ts';
import { pageOfTokens, type TokenListQuery, type TokenPlace } from '../rules/token-list.ts';
import { tokenFacts } from './list-tokens.ts';
import type { MarketData } from './market-data.ts';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';
import { capUsd, figuresOf, inDollars, isDollar, type TokenFigures } from './token-figures.ts';
import { imitatedBy, isVerified } from './token-summary.ts';

/** One row of the table of tokens. Null is "not known", never 0. */
export type TokenRow = {
  readonly mint: Address;
  /** Hostile text; null for a token that was never read. */
  readonly symbol: string | null;
  readonly name: string | null;
  readonly verified: boolean;
  readonly imitates: Address | null;
  /** The deepest market. */
  readonly market: MarketEntry;
  /** Markets in all. */
  readonly markets: number;
  /** Of the price in dollars, in percent. */
  readonly change: Readonly<Record<RecentMinutes, number | null>>;
  readonly trades24h: number;
  readonly capUsd: number | null;
  /** Epoch milliseconds at which this desk first saw it. */
  readonly firstSeenAt: number | null;
} & Pick<TokenFigures, 'price' | 'change24h' | 'volume24hUsd' | 'liquidityUsd'>;

export type TokenTable = {
  readonly rows: readonly TokenRow[];
  /** Where the next page begins; null on the last one. */
  readonly next: TokenPlace | null;
  /** Tokens in all, before any filter. */
  readonly known: number;
  /** Venues at which something trades, in the order of the alphabet. */
  readonly venues: readonly string[];
};

export type TokenTableQuery = Omit<TokenListQuery, 'among'> & {
  /** Only those that this desk first saw so many milliseconds ago or later; null for any. */
  readonly maxAgeMs: number | null;
};

export type TokenTableDeps = {
  readonly market: Pick<MarketData, 'snapshot'>;
  readonly tokenIndex: Pick<TokenIndex, 'find'>;
  readonly tape: Pick<TapeStore, 'candlesOf'>;
  readonly chain: Pick<Chain, 'accounts'>;
  readonly wellKnown: readonly WellKnownToken[];
  readonly clock: Clock;
};

/** A supply changes seldom; a cap that is a minute old misleads no reader. */
const SUPPLY_KEPT_MS = 60_000;
const SUPPLIES_KEPT = 10_000;

type Supply = { readonly units: bigint | null; readonly at: number };

/**
 * Pages of the tokens that have a market of their own, one row a token; null before any market was read. A supply is read once a minute for
 * each token that is shown, in one call a page; without an answer of the chain the cap is not known. Throws DATABASE_UNREACHABLE.
 */
export function createTokenTable(
  deps: TokenTableDeps,
): (query: TokenTableQuery) => Promise<TokenTable | null> {
  const supplies = new Map<Address, Supply>();
  const seenAt = new Map<Address, number>();
  return async ({ maxAgeMs, ...query }) => {
    const snapshot = await deps.market.snapshot();
    if (snapshot.entries.length === 0) return null;
    const all = tokenFacts(snapshot, deps.wellKnown).filter(
      ({ mint }) => figuresOf(snapshot, mint).primary !== null,
    );
    const among =
      maxAgeMs === null
        ? null
        : await seenSince(
            deps,
            seenAt,
            all.map(({ mint }) => mint),
            deps.clock.now() - maxAgeMs,
          );
    const { tokens, next } = pageOfTokens(all, { ...query, among });
    const mints = tokens.map(({ mint }) => mint);
    const [notes, bars] = await Promise.all([
      deps.tokenIndex.find(mints),
      recentBars(deps, snapshot, mints),
      readSupplies(deps, supplies, mints),
    ]);
    const noteOf = new Map(notes.map((note) => [note.mint, note]));
    const rows = mints.flatMap((mint) => {
      const supply = supplies.get(mint)?.units ?? null;
      const row = rowOf(deps, snapshot, { mint, note: noteOf.get(mint) ?? null, bars, supply });
      return row === null ? [] : [row];
    });
    const venues = [...new Set(snapshot.entries.map(({ market }) => market.venue))].toSorted();
    return { rows, next, known: all.length, venues };
  };
}

/** The mints that this desk first saw at `since` or later. The moment of a mint never changes, so each is asked for once. */
async function seenSince(
  { tokenIndex }: Pick<TokenTableDeps, 'tokenIndex'>,
  seenAt: Map<Address, number>,
  mints: readonly Address[],
  since: number,
): Promise<ReadonlySet<Address>> {
  const unknown = mints.filter((mint) => !seenAt.has(mint));
  if (unknown.length > 0)
    for (const note of await tokenIndex.find(unknown)) seenAt.set(note.mint, note.firstSeenAt);
  return new Set(mints.filter((mint) => (seenAt.get(mint) ?? 0) >= since));
}

/** Bars of the last six hours of the deepest markets of these mints, and of their quote tokens' in dollars. */
async function recentBars(
  { tape, clock }: Pick<TokenTableDeps, 'tape' | 'clock'>,
  snapshot: MarketSnapshot,
  mints: readonly Address[],
): Promise<ReadonlyMap<number, readonly Candle[]>> {
  const primaries = mints.flatMap((mint) => figuresOf(snapshot, mint).primary ?? []);
  const quotes = primaries.flatMap(({ market }) => inDollars(snapshot, market.quoteMint) ?? []);
  const ids = new Set([...primaries, ...quotes].map(({ market }) => market.id));
  const now = Math.floor(clock.now() / 1_000);
  // An hour more than the longest window: the price of then may be that of a quiet hour before.
  const from = now - (Math.max(...RECENT_MINUTES) + 60) * 60;
  return await tape.candlesOf([...ids], BAR_MINUTES, { from, to: now + 1 });
}

async function readSupplies(
  { chain, clock }: Pick<TokenTableDeps, 'chain' | 'clock'>,
  supplies: Map<Address, Supply>,
  mints: readonly Address[],
): Promise<void> {
  const now = clock.now();
  const due = mints.filter((mint) => {
    const kept = supplies.get(mint);
    return kept === undefined || apart(now, kept.at) >= SUPPLY_KEPT_MS;
  });
  if (due.length === 0) return;
  try {
    const { accounts } = await chain.accounts(due);
    if (supplies.size + due.length > SUPPLIES_KEPT) supplies.clear();
    for (const [index, mint] of due.entries())
      supplies.set(mint, { units: mintSupply(accounts[index] ?? null), at: now });
  } catch (error) {
    // The page is worth reading without caps.
    if (!hasCode(error, 'CHAIN_UNREACHABLE')) throw error;
  }
}

function rowOf(
  { wellKnown, clock }: Pick<TokenTableDeps, 'wellKnown' | 'clock'>,
  snapshot: MarketSnapshot,
  token: {
    readonly mint: Address;
    readonly note: IndexedToken | null;
    readonly bars: ReadonlyMap<number, readonly Candle[]>;
    readonly supply: bigint | null;
  },
): TokenRow | null {
  const { mint, note, bars, supply } = token;
  const { price, change24h, volume24hUsd, liquidityUsd, entries, primary } = figuresOf(snapshot, mint);
  if (primary === null) return null;
  const { market } = primary;
  const now = Math.floor(clock.now() / 1_000);
  const inQuote = inDollars(snapshot, market.quoteMint);
  const changeOver = (minutes: RecentMinutes): number | null =>
    dollarChange(
      pricesOver(bars.get(market.id) ?? [], minutes, now),
      isDollar(snapshot, market.quoteMint)
        ? 'dollar'
        : inQuote === null
          ? null
          : pricesOver(bars.get(inQuote.market.id) ?? [], minutes, now),
    );
  return {
    mint,
    symbol: note?.symbol ?? null,
    name: note?.name ?? null,
    verified: isVerified(mint, wellKnown),
    imitates: note === null ? null : imitatedBy(note, wellKnown),
    market: primary,
    markets: entries.length,
    change: { 5: changeOver(5), 60: changeOver(60), 360: changeOver(360) },
    trades24h: entries.reduce((sum, { stats }) => sum + (stats?.n ?? 0), 0),
    capUsd: supply === null ? null : capUsd(price, { supply, decimals: market.baseDecimals }),
    firstSeenAt: note?.firstSeenAt ?? null,
    price,
    change24h,
    volume24hUsd,
    liquidityUsd,
  };
}

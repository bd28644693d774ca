import type { Address } from '@tradepost/solana';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { LaunchState } from '../../launch/use/launch-progress.ts';
import type { NewestPage } from '../../tokens/store-port.ts';
import type { TokenListQuery } from '../rules/token-list.ts';
import type { Trend } from '../rules/trending.ts';
import type { UsdPrice, UsdPrices } from '../rules/usd-price.ts';
import type { TrendHours, TrendingStore } from '../store/trending-store-port.ts';
import { listTokens, type TokenList } from './list-tokens.ts';
import { loadSparkLines, type SparkLine } from './load-spark-lines.ts';
import type { MarketData } from './market-data.ts';
import {
  lookAtUnpriced,
  type SearchTokensDeps,
  searchTokens,
  type TokenHit,
  type TokenSearch,
} from './search-tokens.ts';
import { figuresOf } from './token-figures.ts';
import { createTokenProfiles, type TokenProfile, type TokenProfileDeps } from './token-profile.ts';
import { type TokenSummary, tokenSummary } from './token-summary.ts';
import { createTokenTable, type TokenTable, type TokenTableQuery } from './token-table.ts';

export type TokenDataDeps = SearchTokensDeps &
  Omit<TokenProfileDeps, 'market'> & {
    readonly market: MarketData;
    readonly tape: Pick<TapeStore, 'firstTradeBefore' | 'countTraders' | 'candlesOf'>;
    readonly trending: Pick<TrendingStore, 'load'>;
  };

/** The public token data. Every call throws DATABASE_UNREACHABLE. */
export type TokenData = {
  /** See `searchTokens`. */
  readonly search: (search: TokenSearch) => Promise<readonly TokenHit[]>;
  /** Null for an address that is no mint. Throws CHAIN_UNREACHABLE. */
  readonly profile: (mint: Address) => Promise<TokenProfile | null>;
  /** The highest score first; empty before it was ever worked out. */
  readonly trending: (hours: TrendHours) => Promise<TrendingTokens>;
  /** First seen last, the newest first; the next page comes `after` the last of this one. */
  readonly newest: (page: NewestPage) => Promise<readonly NewToken[]>;
  /** All that trade here, page by page; see `listTokens`. */
  readonly list: (query: TokenListQuery) => Promise<TokenList | null>;
  /** The same for people, one row a token with the figures of its deepest market; see `createTokenTable`. */
  readonly table: (query: TokenTableQuery) => Promise<TokenTable | null>;
  /** By mint, as they are shown; null for those without a known price. */
  readonly prices: (mints: readonly Address[]) => Promise<ReadonlyMap<Address, TokenPrice | null>>;
  /** Dollars by which holdings are valued: a token whose pools are too thin to be believed is absent, unlike in `prices`. */
  readonly values: () => Promise<UsdPrices>;
  /** Reads the pools of a token that a person opens now; see `MarketData`. */
  readonly lookNow: MarketData['lookNow'];
  /** The last 24 hourly prices of these markets, by market id. */
  readonly sparkLines: (marketIds: readonly number[]) => Promise<ReadonlyMap<number, SparkLine>>;
};

export type TokenPrice = UsdPrice & { readonly priceSol: number | null };

export type TrendingTokens = {
  /** Epoch milliseconds at which it was worked out; null before it ever was. */
  readonly computedAt: number | null;
  readonly tokens: readonly (TokenSummary & { readonly trend: Trend })[];
};

export type NewToken = TokenSummary & {
  /** Of a token that was launched here. */
  readonly launch: Pick<LaunchState, 'soldBps' | 'graduated'> | null;
};

/** Bound to one process's dependencies. */
export function createTokenData(deps: TokenDataDeps): TokenData {
  const { market, tokenIndex, trending, wellKnown } = deps;
  return {
    search: (search) => searchTokens(deps, search),
    profile: createTokenProfiles(deps),
    trending: async (hours) => {
      const [list, snapshot] = await Promise.all([trending.load(hours), market.snapshot()]);
      const notes = await tokenIndex.find((list?.trends ?? []).map(({ mint }) => mint));
      const byMint = new Map(notes.map((note) => [note.mint, note]));
      const tokens = (list?.trends ?? []).flatMap((trend) => {
        const note = byMint.get(trend.mint);
        return note === undefined ? [] : [{ ...tokenSummary(snapshot, note, wellKnown), trend }];
      });
      return { computedAt: list?.computedAt ?? null, tokens };
    },
    newest: async (page) => {
      const notes = await tokenIndex.newest(page);
      const [launches] = await Promise.all([
        Promise.all(notes.map(async ({ mint, madeHere }) => (madeHere ? await deps.launchOf(mint) : null))),
        lookAtUnpriced(deps, notes),
      ]);
      const snapshot = await market.snapshot();
      return notes.map((note, index) => {
        const launch = launches[index] ?? null;
        return {
          ...tokenSummary(snapshot, note, wellKnown),
          launch: launch === null ? null : { soldBps: launch.soldBps, graduated: launch.graduated },
        };
      });
    },
    list: (query) => listTokens(deps, query),
    table: createTokenTable(deps),
    prices: async (mints) => {
      const snapshot = await market.snapshot();
      return new Map(
        mints.map((mint) => {
          const { price, priceSol } = figuresOf(snapshot, mint);
          return [mint, price === null ? null : { ...price, priceSol }];
        }),
      );
    },
    values: async () => (await market.snapshot()).usd,
    lookNow: market.lookNow,
    sparkLines: (marketIds) => loadSparkLines(deps, marketIds),
  };
}

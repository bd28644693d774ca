import { type Address, WSOL_MINT } from '@tradepost/solana';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { MarketFeed } from '../../../platform/ports/market-feed.ts';
import type { TapeStore, TraderSum } from '../../../platform/ports/tape-store.ts';
import { tokenSafety, type WellKnownToken } from '../../tokens/rules/safety.ts';
import type { TokenIndex } from '../../tokens/store-port.ts';
import { type TraderFlow, type Trend, trendingTokens } from '../rules/trending.ts';
import { TREND_HOURS, type TrendHours, type TrendingStore } from '../store/trending-store-port.ts';
import type { MarketData } from './market-data.ts';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';
import { depthUsd } from './token-figures.ts';
import { imitatedBy } from './token-summary.ts';

export type TrendingDeps = {
  readonly tape: Pick<TapeStore, 'tradersSince'>;
  readonly market: Pick<MarketData, 'snapshot'>;
  readonly tokenIndex: Pick<TokenIndex, 'find'>;
  readonly trending: TrendingStore;
  readonly chain: Pick<Chain, 'token' | 'epoch'>;
  readonly feed: Pick<MarketFeed, 'listen'>;
  /** Whose wallets these are, of those that are kept here: several of one person are one trader. */
  readonly peopleOf: (wallets: readonly Address[]) => Promise<ReadonlyMap<Address, string>>;
  readonly wellKnown: readonly WellKnownToken[];
  /** SOL and dollars: the tokens that others are bought with do not trend. */
  readonly hubs: readonly Address[];
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug'>;
};

/** A smaller pool counts for nothing. */
const MIN_POOL_USD = 1_000;
/** Where the worth of SOL is unknown, five SOL are taken for the thousand dollars. */
const SOL_WITHOUT_DOLLAR = 200;
/** Both sides of a pool. */
const SIDES = 2;
/** Shown at most, of each window. */
const KEPT = 100;
/** Without a trade the scores fade all the same. */
const AT_LEAST_EVERY_MS = 600_000;

/**
 * Computes the trends when it is called after something was traded, or after ten minutes. A process in which nothing happens asks the
 * database for nothing.
 */
export function createTrending(deps: TrendingDeps) {
  let changed = true;
  let workedOutAt = NEVER;
  let stop: (() => void) | null = null;
  return {
    run: async (): Promise<void> => {
      stop ??= deps.feed.listen(() => {
        changed = true;
      });
      const startedAt = markOf(deps.clock);
      if (!changed && elapsedSince(workedOutAt, deps.clock) < AT_LEAST_EVERY_MS) return;
      changed = false;
      try {
        for (const hours of TREND_HOURS) await workOut(deps, hours);
        workedOutAt = startedAt;
      } catch (error) {
        changed = true;
        throw error;
      }
    },
    stop: (): void => stop?.(),
  };
}

/** Works out one window and writes it down. */
export async function workOut(deps: Omit<TrendingDeps, 'feed'>, hours: TrendHours): Promise<void> {
  const now = deps.clock.now();
  const seconds = hours * 3_600;
  const at = Math.floor(now / 1_000);
  const [sums, snapshot] = await Promise.all([deps.tape.tradersSince(at - seconds), deps.market.snapshot()]);
  const trends = trendingTokens(await flowsOf(deps, snapshot, sums), {
    now: at,
    windowSeconds: seconds,
    liquidityUsd: (mint) => liquidityOf(snapshot, mint),
  });
  const shown = await fitToShow(deps, trends);
  await deps.trending.save(hours, shown, now);
  deps.log.debug({ hours, tokens: shown.length }, 'worked out what trends');
}

async function flowsOf(
  { peopleOf, hubs }: Pick<TrendingDeps, 'peopleOf' | 'hubs'>,
  snapshot: MarketSnapshot,
  sums: readonly TraderSum[],
): Promise<readonly TraderFlow[]> {
  const isHub = new Set(hubs);
  const counted = new Map(
    snapshot.entries
      .filter((entry) => !isHub.has(entry.market.baseMint) && poolUsd(snapshot, entry) >= MIN_POOL_USD)
      .map((entry) => [entry.market.id, entry]),
  );
  const heard = sums.filter(({ marketId }) => counted.has(marketId));
  const people = await peopleOf([...new Set(heard.map(({ trader }) => trader))]);
  return heard.flatMap((sum): readonly TraderFlow[] => {
    const entry = counted.get(sum.marketId);
    if (entry === undefined) return [];
    const usd = (units: bigint): number =>
      (Number(units) / 10 ** entry.market.quoteDecimals) * quoteUsd(snapshot, entry);
    return [
      {
        mint: entry.market.baseMint,
        person: people.get(sum.trader) ?? sum.trader,
        buyUsd: usd(sum.buyQuote),
        sellUsd: usd(sum.sellQuote),
        firstAt: sum.firstAt,
        onlyMint: sum.onlyMint,
      },
    ];
  });
}

function poolUsd(snapshot: MarketSnapshot, entry: MarketEntry): number {
  if (entry.quoteUsd !== null) return SIDES * depthUsd(entry);
  const depth = Number(entry.quoteReserve ?? 0n) / 10 ** entry.market.quoteDecimals;
  return SIDES * depth * quoteUsd(snapshot, entry);
}

function quoteUsd({ usd }: MarketSnapshot, entry: MarketEntry): number {
  if (entry.quoteUsd !== null) return entry.quoteUsd.usd;
  return entry.market.quoteMint === WSOL_MINT && !usd.has(WSOL_MINT) ? SOL_WITHOUT_DOLLAR : 0;
}

function liquidityOf(snapshot: MarketSnapshot, mint: Address): number {
  const own = snapshot.entries.filter(({ market }) => market.baseMint === mint);
  return own.reduce((sum, entry) => sum + poolUsd(snapshot, entry), 0);
}

/** Without tokens that may take a holder's money, and those that may be taken for another. */
async function fitToShow(
  { chain, tokenIndex, wellKnown }: Pick<TrendingDeps, 'chain' | 'tokenIndex' | 'wellKnown'>,
  trends: readonly Trend[],
): Promise<readonly Trend[]> {
  if (trends.length === 0) return [];
  const best = trends.slice(0, 2 * KEPT);
  const [epoch, indexed] = await Promise.all([chain.epoch(), tokenIndex.find(best.map(({ mint }) => mint))]);
  const notes = new Map(indexed.map((token) => [token.mint, token]));
  const isFit = await Promise.all(
    best.map(async ({ mint }) => {
      const note = notes.get(mint);
      if (note === undefined || imitatedBy(note, wellKnown) !== null) return false;
      const token = await chain.token(mint);
      return token !== null && tokenSafety(token, { epoch, wellKnown }).level !== 'BLOCK';
    }),
  );
  return best.filter((_, index) => isFit[index]).slice(0, KEPT);
}

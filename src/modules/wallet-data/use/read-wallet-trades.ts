import type { Address } from '@tradepost/solana';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketData } from '../../market/use/market-data.ts';
import { DAY_SECONDS, dayOf, type FlowSums, firstKeptDay, type WalletFlow } from '../rules/wallet-flows.ts';
import { type Pnl, type PnlWindow, pnlOf, totalOf, WINDOW_DAYS } from '../rules/wallet-pnl.ts';
import type { FlowPlace, WalletFlowStore } from '../store-port.ts';

export type WalletTradesDeps = {
  readonly walletFlows: WalletFlowStore;
  readonly tape: Pick<TapeStore, 'faults'>;
  readonly market: Pick<MarketData, 'snapshot'>;
  readonly clock: Clock;
};

/** A market of which sealed trades are missing from a slot on: the node had lost them, or one cannot be read yet. */
export type WalletGap = {
  readonly market: Address;
  readonly sinceSlot: bigint;
  readonly reason: 'lost' | 'unread';
};

export type WalletReach = {
  /** Unix seconds from which on trades are in the sums; null before any trade was sealed. */
  readonly since: number | null;
  /** Of all followed markets, by market: a wallet may have traded on any of them. */
  readonly gaps: readonly WalletGap[];
};

export type WalletTrades = WalletReach & {
  readonly days: readonly WalletFlow[];
  /** Where the next page begins; null at the end. */
  readonly next: NonNullable<FlowPlace['after']> | null;
};

export type WalletPnl = WalletReach & {
  /** Unix seconds of the first and past the last day, UTC. */
  readonly from: number;
  readonly to: number;
  /** Those of which anything was traded in the window, the most often traded first. */
  readonly tokens: readonly TokenPnl[];
  /** Over all tokens, those that were left out too. */
  readonly total: ReturnType<typeof totalOf>;
  /** How many tokens were left out because an answer holds no more. */
  readonly left: number;
  /** False where gaps, trades without a value or days before `since` may change the figures. */
  readonly complete: boolean;
};

export type TokenPnl = { readonly mint: Address; readonly window: FlowSums; readonly pnl: Pnl };

/** Tokens in one answer. */
const MOST = 500;

/** Trades of an address per day and token. Sums of sealed trades: newer ones follow within some seconds. Throws DATABASE_UNREACHABLE. */
export async function readWalletTrades(
  deps: WalletTradesDeps,
  address: Address,
  page: FlowPlace,
): Promise<WalletTrades> {
  const from = firstKeptDay(secondsNow(deps.clock));
  const [days, reach] = await Promise.all([
    deps.walletFlows.days(address, { ...page, from, limit: page.limit + 1 }),
    reachOf(deps, from),
  ]);
  const given = days.slice(0, page.limit);
  const last = given.at(-1);
  const next = days.length > page.limit && last !== undefined ? { day: last.day, mint: last.mint } : null;
  return { ...reach, days: given, next };
}

/** Profit from the sales of a window; see `pnlOf`. Throws DATABASE_UNREACHABLE. */
export async function readWalletPnl(
  deps: WalletTradesDeps,
  address: Address,
  window: PnlWindow,
): Promise<WalletPnl> {
  const now = secondsNow(deps.clock);
  const today = dayOf(now);
  const first = today - WINDOW_DAYS[window] + 1;
  const keptFrom = firstKeptDay(now);
  const [sums, reach] = await Promise.all([
    deps.walletFlows.sums(address, { kept: keptFrom, window: first }),
    reachOf(deps, keptFrom),
  ]);
  const tokens = sums
    .filter((one) => one.window.trades > 0)
    .map((one): TokenPnl => ({ mint: one.mint, window: one.window, pnl: pnlOf(one.kept, one.window) }))
    .toSorted((a, b) => b.window.trades - a.window.trades || (a.mint < b.mint ? -1 : 1));
  const isWhole = reach.since !== null && reach.since <= first * DAY_SECONDS;
  return {
    ...reach,
    from: first * DAY_SECONDS,
    to: (today + 1) * DAY_SECONDS,
    tokens: tokens.slice(0, MOST),
    total: totalOf(tokens),
    left: Math.max(0, tokens.length - MOST),
    complete: isWhole && reach.gaps.length === 0 && sums.every(({ kept }) => kept.unvalued === 0),
  };
}

async function reachOf(
  { walletFlows, market, tape }: WalletTradesDeps,
  keptFrom: number,
): Promise<WalletReach> {
  const [since, { entries }, faults] = await Promise.all([
    walletFlows.since(),
    market.snapshot(),
    tape.faults(),
  ]);
  const gaps = entries.flatMap(({ market: { id, address, gapSince } }): readonly WalletGap[] => {
    const unread = faults.filter(({ marketId }) => marketId === id).map(({ slot }) => slot);
    const lost = gapSince === null ? [] : [{ market: address, sinceSlot: gapSince, reason: 'lost' as const }];
    const [first] = unread;
    return first === undefined ? lost : [...lost, { market: address, sinceSlot: first, reason: 'unread' }];
  });
  return { since: since === null ? null : Math.max(since, keptFrom * DAY_SECONDS), gaps };
}

function secondsNow(clock: Clock): number {
  return Math.floor(clock.now() / 1_000);
}

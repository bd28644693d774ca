import type { Address } from '@tradepost/solana';
import { ageAt } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import type { TokenData } from '../../market/use/token-data.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { type Cohorts, cohorts, earlyIds, shareBps, type TapeSpan, worstOf } from '../rules/cohort.ts';
import type { LaunchList } from '../rules/launch-alert.ts';
import { asksFor, type FilterFacts, type LaunchFilter, passes } from '../rules/launch-filter.ts';
import { isDead, type SeenLaunch } from '../rules/stage.ts';

export type LaunchFigureDeps = {
  readonly db: { readonly seenLaunches: Pick<Stores['seenLaunches'], 'list' | 'find'> };
  readonly chain: Pick<Chain, 'token' | 'holding'>;
  readonly tape: Pick<TapeStore, 'trades' | 'cursor'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly clock: Clock;
};

/** What the figures of launches are read from, beside the chain. */
export type LaunchReads = Pick<LaunchFigureDeps, 'tape' | 'markets' | 'history'>;

/** One launch with its figures. Null is "not known", never 0. */
export type ShownLaunch = {
  readonly launch: SeenLaunch;
  /** Null where the chain does not know it now. */
  readonly token: Token | null;
  readonly capUsd: number | null;
  /** The creator's units now, of the supply. */
  readonly devBps: number | null;
  readonly cohorts: Cohorts;
};

/** A page of a list, and whether more launches pass. */
export type LaunchPage = { readonly rows: readonly ShownLaunch[]; readonly more: boolean };

const NO_COHORTS: Cohorts = { dev: null, bundle: null, snipers: null };
const DAY_MS = 86_400_000;
/** Launches that one page looks through at most: a filter that few pass ends there. */
const LOOKED_THROUGH = 100;
/** Trades of the first slots, and of a curve's whole life, that are read; more are not known. */
const MAX_EARLY = 500;
const MAX_TRADES = 5_000;
const FRESH_LOOKUPS = 10;
const SIGNATURES = 1_000;

type TokenFacts = Pick<TokenData, 'prices' | 'profile' | 'lookNow'>;

/** A page of launches that pass the filter: `from` rows of them are left out, `size` shown. */
export async function launchPage(
  deps: LaunchFigureDeps & { readonly tokens: TokenFacts },
  asked: {
    readonly list: LaunchList;
    readonly filter: LaunchFilter;
    readonly from: number;
    readonly size: number;
  },
): Promise<LaunchPage> {
  const { list, filter, from, size } = asked;
  const now = deps.clock.now();
  const all = await deps.db.seenLaunches.list(list, now - DAY_MS, LOOKED_THROUGH);
  const rows: ShownLaunch[] = [];
  const shownNow = (of: readonly ShownLaunch[]) => Promise.all(of.map((row) => pricedNow(deps, row)));
  let passed = 0;
  for (const launch of all) {
    if (isDead(launch, now)) continue;
    if (filter.length === 0 && passed < from) {
      passed += 1;
      continue;
    }
    const shown = await launchFigures(deps, launch);
    if (!passes(filter, await filterFacts(deps, shown, filter))) continue;
    passed += 1;
    if (passed > from + size) return { rows: await shownNow(rows), more: true };
    if (passed > from) rows.push(shown);
  }
  return { rows: await shownNow(rows), more: false };
}

/** The same row with the price of its pools now: that of the snapshot may be half a minute old, and a curve rises faster. */
async function pricedNow(
  { tokens }: { readonly tokens: TokenFacts },
  row: ShownLaunch,
): Promise<ShownLaunch> {
  const { token } = row;
  if (token === null) return row;
  await tokens.lookNow(token, { unfollowed: false });
  return { ...row, capUsd: capOf(token, await tokens.prices([token.mint])) };
}

function capOf(
  { mint, supply, decimals }: Token,
  prices: Awaited<ReturnType<TokenFacts['prices']>>,
): number | null {
  const price = prices.get(mint);
  return price == null ? null : price.usd * (Number(supply) / 10 ** decimals);
}

/** One launch as it is now, for a message about it or a screen of its own. */
export async function launchNow(
  deps: LaunchFigureDeps & { readonly tokens: TokenFacts },
  launch: SeenLaunch,
): Promise<ShownLaunch> {
  return pricedNow(deps, await launchFigures(deps, launch));
}

/** The figures of one launch that a filter compares, as of the last snapshot. What a node does not tell is not known. */
async function launchFigures(
  deps: LaunchFigureDeps & { readonly tokens: TokenFacts },
  launch: SeenLaunch,
): Promise<ShownLaunch> {
  const token = await deps.chain.token(launch.mint).catch(() => null);
  if (token === null) return { launch, token, capUsd: null, devBps: null, cohorts: NO_COHORTS };
  const [prices, held, early] = await Promise.all([
    deps.tokens.prices([launch.mint]),
    deps.chain.holding(launch.creator, launch.mint).catch(() => null),
    launchCohorts(deps, launch, token),
  ]);
  return {
    launch,
    token,
    capUsd: capOf(token, prices),
    devBps: held === null || token.supply === 0n ? null : shareBps(held.amount, token.supply),
    cohorts: early,
  };
}

/** The early wallets of a launch, by the tape of its curve. */
async function launchCohorts(deps: LaunchFigureDeps, launch: SeenLaunch, token: Token): Promise<Cohorts> {
  const market = (await deps.markets.ofMint(launch.mint)).find(({ address }) => address === launch.curve);
  if (market === undefined) return NO_COHORTS;
  const cursor = await deps.tape.cursor(market.id);
  if (cursor === null) return NO_COHORTS;
  const span: TapeSpan = { after: market.createdSlot, upTo: cursor.liveSlot, gapSince: market.gapSince };
  const { after, before } = earlyIds(launch);
  const [early, trades] = await Promise.all([
    deps.tape.trades(market.id, { after, before, limit: MAX_EARLY }),
    deps.tape.trades(market.id, { after, limit: MAX_TRADES }),
  ]);
  return cohorts(launch, {
    supply: token.supply,
    span,
    early: early.length < MAX_EARLY ? early.toReversed() : null,
    trades: trades.length < MAX_TRADES ? trades.toReversed() : null,
  });
}

/** What a filter compares. Holders, the ten largest and the verdict cost questions to a node: only where they are asked for. */
async function filterFacts(
  { tokens, clock }: { readonly tokens: TokenFacts; readonly clock: Clock },
  { launch, capUsd, devBps, cohorts: early }: ShownLaunch,
  filter: LaunchFilter,
): Promise<Partial<FilterFacts>> {
  const asked = asksFor(filter);
  const needsProfile = (['liq', 'holders', 'top10', 'verdict'] as const).some((figure) => asked.has(figure));
  const profile = needsProfile ? await tokens.profile(launch.mint).catch(() => null) : null;
  const percent = (bps: number | null | undefined): number | null => (bps == null ? null : bps / 100);
  return {
    age: ageAt(launch.createdAt, clock.now()) / 60_000,
    cap: capUsd,
    liq: profile?.liquidityUsd ?? null,
    holders: profile?.holders ?? null,
    dev: percent(devBps),
    top10: profile?.top10Percent ?? null,
    bundle: percent(early.bundle?.bps),
    curve: launch.soldBps / 100,
    verdict: profile === null ? null : { OK: 0, CAREFUL: 1, BLOCK: 2 }[profile.safety.level],
  };
}

/** Whether a launch passes a person's filter now. */
export async function launchPasses(
  deps: LaunchFigureDeps & { readonly tokens: TokenFacts },
  launch: SeenLaunch,
  filter: LaunchFilter,
): Promise<boolean> {
  if (filter.length === 0) return true;
  return passes(filter, await filterFacts(deps, await launchFigures(deps, launch), filter));
}

/** The gravest figure of a row. */
export const worstFigure = ({ devBps, cohorts: { bundle, snipers } }: ShownLaunch) =>
  worstOf({ devBps, bundleBps: bundle?.bps ?? null, snipersBps: snipers?.bps ?? null });

/** The early buyers whose first transaction is younger than a day. */
export type FreshWallets = {
  readonly fresh: number;
  /** Wallets that were looked up, of `all`. */
  readonly known: number;
  readonly all: number;
};

/** Looks ten early wallets up at most. Null where the early wallets themselves are not known. */
export async function freshWallets(
  { history, clock }: Pick<LaunchFigureDeps, 'history' | 'clock'>,
  { bundle, snipers }: Cohorts,
): Promise<FreshWallets | null> {
  if (bundle === null && snipers === null) return null;
  const wallets = [...new Set([...(bundle?.wallets ?? []), ...(snipers?.wallets ?? [])])];
  const looked = await Promise.all(
    wallets.slice(0, FRESH_LOOKUPS).map((wallet) => isFresh(history, wallet, clock.now()).catch(() => null)),
  );
  return {
    fresh: looked.filter((one) => one === true).length,
    known: looked.filter((one) => one !== null).length,
    all: wallets.length,
  };
}

/** Null where the page that the node answers does not reach its first transaction, and all of that page is young. */
async function isFresh(
  history: Pick<ChainHistory, 'signatures'>,
  wallet: Address,
  now: number,
): Promise<boolean | null> {
  const page = await history.signatures(wallet, { before: null, limit: SIGNATURES });
  const oldest = page.at(-1);
  if (oldest === undefined) return true;
  if (oldest.at === null) return null;
  if (ageAt(oldest.at, now) >= DAY_MS) return false;
  return page.length < SIGNATURES ? true : null;
}

/** One launch for the screen of its early wallets; null where the feed has not seen it. */
export async function openLaunch(
  deps: LaunchFigureDeps & { readonly tokens: TokenFacts },
  mint: Address,
): Promise<{ readonly shown: ShownLaunch; readonly fresh: FreshWallets | null } | null> {
  const launch = await deps.db.seenLaunches.find(mint);
  if (launch === null || launch.takenBack) return null;
  const shown = await launchNow(deps, launch);
  return { shown, fresh: await freshWallets(deps, shown.cohorts) };
}

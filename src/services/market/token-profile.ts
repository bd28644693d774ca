import type { Address } from '../../core/address/address.ts';
import { WSOL_MINT } from '../../core/address/programs.ts';
import { changePercent } from '../../core/market/price.ts';
import type { UsdPrice } from '../../core/market/usd-price.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { MarketStore } from '../../core/ports/market-store.ts';
import type { TapeStore } from '../../core/ports/tape-store.ts';
import type { TokenHolders } from '../../core/ports/token-holders.ts';
import type { TokenIndex } from '../../core/ports/token-index.ts';
import { type TokenSafety, tokenSafety, type WellKnownToken } from '../../core/tokens/safety.ts';
import type { Token } from '../../core/tokens/token.ts';
import type { LaunchState } from '../launch/launch-progress.ts';
import type { MarketData } from './market-data.ts';
import type { MarketEntry } from './market-snapshot.ts';
import { indexedToken } from './search-tokens.ts';
import { imitatedBy, isVerified, priceInSol, tokenMarkets, volumeUsd } from './token-summary.ts';

export type TokenProfileDeps = {
  readonly tokenIndex: TokenIndex;
  readonly market: Pick<MarketData, 'snapshot'>;
  readonly markets: Pick<MarketStore, 'find'>;
  readonly tape: Pick<TapeStore, 'firstTradeBefore' | 'countTraders'>;
  readonly chain: Pick<Chain, 'token' | 'epoch'>;
  readonly holders: TokenHolders;
  /** How far a token's launch came; null for one that was not launched here. */
  readonly launchOf: (mint: Address) => Promise<LaunchState | null>;
  readonly wellKnown: readonly WellKnownToken[];
  readonly clock: Clock;
};

/** Everything that a card or a page says of a token. Null is "not known", never 0. */
export type TokenProfile = {
  /** Symbol and name are hostile text. */
  readonly token: Token;
  readonly verified: boolean;
  readonly imitates: Address | null;
  readonly price: UsdPrice | null;
  readonly priceSol: number | null;
  /** Of the price in its primary market, in percent; null where no price is that old. */
  readonly change: { readonly '5m': number | null; readonly '1h': number | null } & {
    readonly '6h': number | null;
    readonly '24h': number | null;
  };
  readonly volume24hUsd: number | null;
  readonly traders24h: number | null;
  readonly liquidityUsd: number | null;
  /** Price × the whole supply, what creators and pools hold included. */
  readonly marketCapUsd: number | null;
  /** Owners who hold some of it. */
  readonly holders: number | null;
  /** Of the supply, in the hands of the ten largest accounts that are no pool's. */
  readonly top10Percent: number | null;
  readonly safety: TokenSafety;
  /** Of a token that was launched here. */
  readonly launch: {
    readonly pad: string;
    readonly soldBps: number;
    readonly graduated: boolean;
  } | null;
  /** A wallet of this desk created it. */
  readonly madeHere: boolean;
  readonly primaryMarket: MarketEntry | null;
  /** The deepest first. */
  readonly markets: readonly MarketEntry[];
  /** Epoch milliseconds at which this desk first saw it. */
  readonly firstSeenAt: number;
  /** Epoch milliseconds of what is told of the markets. */
  readonly asOf: number;
};

const SPANS = { '5m': 300, '1h': 3_600, '6h': 21_600, '24h': 86_400 } as const;
const DAY_SECONDS = 86_400;
const TOP = 10;
/** One answer is good for this long: a page and a card ask for it again and again. */
const TTL_MS = 5_000;
const HOLDERS_TTL_MS = 60_000;
const MAX_KEPT = 1_000;

/** Profiles of tokens, each worked out once in five seconds. Null for what is no mint. */
export function createTokenProfiles(deps: TokenProfileDeps): (mint: Address) => Promise<TokenProfile | null> {
  const profiles = keptFor<TokenProfile | null>(TTL_MS, deps.clock);
  const holdings = keptFor<Holdings>(HOLDERS_TTL_MS, deps.clock);
  return (mint) =>
    profiles(mint, () => loadProfile(deps, mint, (token) => holdings(mint, () => holdingsOf(deps, token))));
}

/** Kept for a while, and asked for once however many wait; a failure is not kept. */
function keptFor<T>(ttlMs: number, clock: Clock) {
  const kept = new Map<Address, { readonly until: number; readonly value: Promise<T> }>();
  return (key: Address, load: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    if (known !== undefined && clock.now() < known.until) return known.value;
    const fresh = { until: clock.now() + ttlMs, value: load() };
    kept.delete(key);
    kept.set(key, fresh);
    fresh.value.catch(() => kept.get(key) === fresh && kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return fresh.value;
  };
}

async function loadProfile(
  deps: TokenProfileDeps,
  mint: Address,
  holdingsOfToken: (token: Token) => Promise<Holdings>,
): Promise<TokenProfile | null> {
  const [token, note, snapshot, epoch] = await Promise.all([
    deps.chain.token(mint),
    indexedToken(deps, mint),
    deps.market.snapshot(),
    deps.chain.epoch(),
  ]);
  if (token === null || note === null) return null;
  const { entries, primary } = tokenMarkets(snapshot, mint);
  const price = snapshot.usd.get(mint) ?? null;
  const since = Math.floor(deps.clock.now() / 1_000) - DAY_SECONDS;
  const [change, traders24h, { holders, top10Percent }, launch] = await Promise.all([
    changesOf(deps, primary),
    entries.length === 0
      ? null
      : deps.tape.countTraders(
          entries.map(({ market }) => market.id),
          since,
        ),
    holdingsOfToken(token),
    deps.launchOf(mint),
  ]);
  return {
    token,
    verified: isVerified(mint, deps.wellKnown),
    imitates: imitatedBy(note, deps.wellKnown),
    price,
    priceSol: mint === WSOL_MINT ? 1 : priceInSol(snapshot, mint),
    change,
    volume24hUsd: volumeUsd(entries),
    traders24h,
    liquidityUsd: price?.liquidityUsd ?? null,
    marketCapUsd: price === null ? null : (Number(token.supply) / 10 ** token.decimals) * price.usd,
    holders,
    top10Percent,
    safety: tokenSafety(token, { epoch, wellKnown: deps.wellKnown }),
    launch:
      launch === null
        ? null
        : { pad: launch.pad.label, soldBps: launch.soldBps, graduated: launch.graduated },
    madeHere: note.madeHere,
    primaryMarket: primary,
    markets: entries.toSorted((a, b) => usdSide(b) - usdSide(a)),
    firstSeenAt: note.firstSeenAt,
    asOf: snapshot.at,
  };
}

function usdSide({ market, quoteReserve, quoteUsd }: MarketEntry): number {
  return (Number(quoteReserve ?? 0n) / 10 ** market.quoteDecimals) * (quoteUsd?.usd ?? 0);
}

async function changesOf(
  { tape, clock }: Pick<TokenProfileDeps, 'tape' | 'clock'>,
  primary: MarketEntry | null,
): Promise<TokenProfile['change']> {
  const last = primary?.stats?.last ?? null;
  if (primary === null || last === null) return { '5m': null, '1h': null, '6h': null, '24h': null };
  const now = Math.floor(clock.now() / 1_000);
  const over = async (seconds: number): Promise<number | null> => {
    const at = now - seconds;
    if (last.at <= at) return 0;
    const before = await tape.firstTradeBefore(primary.market.id, at);
    return changePercent(last.price, before?.price ?? olderPrice(primary, at));
  };
  const [m5, h1, h6, h24] = await Promise.all([
    over(SPANS['5m']),
    over(SPANS['1h']),
    over(SPANS['6h']),
    over(SPANS['24h']),
  ]);
  return { '5m': m5, '1h': h1, '6h': h6, '24h': h24 };
}

/** Its trades are gone; the figures remember the price. */
function olderPrice({ stats }: MarketEntry, at: number): string | null {
  const first = stats?.firstIsBefore === true ? stats.first : null;
  return first !== null && first.at <= at ? first.price : null;
}

type Holdings = Pick<TokenProfile, 'holders' | 'top10Percent'>;

/** What a node does not tell is not known; the rest of the profile stands. */
async function holdingsOf(
  { holders, market }: Pick<TokenProfileDeps, 'holders' | 'market'>,
  token: Token,
): Promise<Holdings> {
  const [count, largest, snapshot] = await Promise.all([
    holders.count(token).catch(() => null),
    holders.largest(token.mint).catch(() => null),
    market.snapshot(),
  ]);
  if (largest === null || token.supply === 0n) return { holders: count, top10Percent: null };
  const vaults = new Set(
    tokenMarkets(snapshot, token.mint).entries.flatMap(({ market: m }) => [m.baseVault, m.quoteVault]),
  );
  const top = largest.filter(({ account }) => !vaults.has(account)).slice(0, TOP);
  const held = top.reduce((sum, { amount }) => sum + amount, 0n);
  return { holders: count, top10Percent: Number((held * 10_000n) / token.supply) / 100 };
}

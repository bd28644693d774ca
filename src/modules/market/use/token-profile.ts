import { type Address, readTokenAccount } from '@tradepost/solana';
import { changePercent } from '@tradepost/tape';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { TokenHolders } from '../../../platform/ports/token-holders.ts';
import type { LaunchState } from '../../launch/use/launch-progress.ts';
import {
  type Concentration,
  concentration,
  type LargestAccount,
  withConcentration,
} from '../../tokens/rules/concentration.ts';
import { type TokenSafety, tokenSafety, type WellKnownToken } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { TokenIndex } from '../../tokens/store-port.ts';
import { dollarChange, type TwoPrices } from '../rules/dollar-change.ts';
import { holderFigures } from '../rules/holder-figures.ts';
import { withMarket } from '../rules/market-safety.ts';
import type { UsdPrice } from '../rules/usd-price.ts';
import type { MarketStore } from '../store/market-store-port.ts';
import type { MarketData } from './market-data.ts';
import type { MarketEntry, MarketSnapshot } from './market-snapshot.ts';
import { indexedToken } from './search-tokens.ts';
import { capUsd, figuresOf, inDollars, isDollar, type TokenFigures, tokenMarkets } from './token-figures.ts';
import { imitatedBy, isVerified } from './token-summary.ts';

export type TokenProfileDeps = {
  readonly tokenIndex: TokenIndex;
  readonly market: Pick<MarketData, 'snapshot' | 'lookNow'>;
  readonly markets: Pick<MarketStore, 'find'>;
  readonly tape: Pick<TapeStore, 'firstTradeBefore' | 'countTraders'>;
  readonly chain: Pick<Chain, 'token' | 'epoch' | 'accounts'>;
  readonly holders: TokenHolders;
  /** How far a token's launch came; null for one that was not launched here. */
  readonly launchOf: (mint: Address) => Promise<LaunchState | null>;
  readonly wellKnown: readonly WellKnownToken[];
  /** Whether a source shows that a mint is a day old. Throws CHAIN_UNREACHABLE. */
  readonly isOld: (mint: Address) => Promise<boolean>;
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
  /** Of the price in dollars, in percent, its 24 hours as in each list; null where no price is that old, or the quote token's dollars are not known. */
  readonly change: Changes;
  /** Of the price in its primary market, in percent; null where no price is that old. */
  readonly changeQuote: Changes;
  readonly volume24hUsd: number | null;
  readonly traders24h: number | null;
  readonly liquidityUsd: number | null;
  /** Price × the whole supply, what creators and pools hold included. */
  readonly marketCapUsd: number | null;
  /** Owners who hold some of it; null where no source names all of them. */
  readonly holders: number | null;
  /** There are so many at least; null where no source names any. */
  readonly holdersAtLeast: number | null;
  /** Of the supply, in the hands of the ten largest accounts that are no pool's. */
  readonly top10Percent: number | null;
  /** Of the mint and of its market; of a verified token the mint's alone. No purchase was rehearsed for it. */
  readonly safety: TokenSafety;
  /** Whether a source shows that it is a day old; null where no node tells. */
  readonly isOld: boolean | null;
  /** Null where the largest accounts could not be read. */
  readonly concentration: Concentration | null;
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

/** Over the last minutes or hours. */
export type Changes = Readonly<Record<keyof typeof SPANS | '24h', number | null>>;

const SPANS = { '5m': 300, '1h': 3_600, '6h': 21_600 } as const;
const DAY_SECONDS = 86_400;
/** One answer is good for this long: a page and a card ask for it again and again. */
const TTL_MS = 2_000;
const HOLDERS_TTL_MS = 60_000;
const MAX_KEPT = 1_000;

/** Profiles of tokens, each worked out once in two seconds. Null where the address is no mint. */
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
  const [token, note, epoch] = await Promise.all([
    deps.chain.token(mint),
    indexedToken(deps, mint),
    deps.chain.epoch(),
  ]);
  if (token === null || note === null) return null;
  await deps.market.lookNow(token, { unfollowed: note.madeHere });
  const snapshot = await deps.market.snapshot();
  const figures = figuresOf(snapshot, mint);
  const { entries, primary, price } = figures;
  const verified = isVerified(mint, deps.wellKnown);
  const [{ change, changeQuote }, traders24h, holdings, launch, isOld] = await Promise.all([
    changesOf(deps, snapshot, figures),
    tradersOf(deps, entries),
    holdingsOfToken(token),
    deps.launchOf(mint),
    verified ? true : deps.isOld(mint).catch(() => null),
  ]);
  const { holders, holdersAtLeast, top10Percent, concentration: held } = holdings;
  return {
    token,
    verified,
    imitates: imitatedBy(note, deps.wellKnown),
    price,
    priceSol: figures.priceSol,
    change,
    changeQuote,
    volume24hUsd: figures.volume24hUsd,
    traders24h,
    liquidityUsd: figures.liquidityUsd,
    marketCapUsd: capUsd(price, token),
    holders,
    holdersAtLeast,
    top10Percent,
    safety: safetyOf(deps, token, {
      epoch,
      verified,
      isOld,
      liquidityUsd: figures.liquidityUsd,
      holders,
      holdersAtLeast,
      held,
    }),
    isOld,
    concentration: held,
    launch: launch === null ? null : shownLaunch(launch),
    madeHere: note.madeHere,
    primaryMarket: primary,
    markets: entries.toSorted((a, b) => usdSide(b) - usdSide(a)),
    firstSeenAt: note.firstSeenAt,
    asOf: snapshot.at,
  };
}

const shownLaunch = ({ pad, soldBps, graduated }: LaunchState) => ({ pad: pad.label, soldBps, graduated });

/** Over the last day; null where no market is known. */
async function tradersOf(
  { tape, clock }: Pick<TokenProfileDeps, 'tape' | 'clock'>,
  entries: readonly MarketEntry[],
): Promise<number | null> {
  if (entries.length === 0) return null;
  const since = Math.floor(clock.now() / 1_000) - DAY_SECONDS;
  return tape.countTraders(
    entries.map(({ market }) => market.id),
    since,
  );
}

/** Of the mint, of what few hands hold and, where the operator does not vouch for it, of its market. */
function safetyOf(
  { wellKnown }: Pick<TokenProfileDeps, 'wellKnown'>,
  token: Token,
  facts: Pick<TokenProfile, 'verified' | 'isOld' | 'liquidityUsd' | 'holders' | 'holdersAtLeast'> & {
    readonly epoch: bigint;
    readonly held: Concentration | null;
  },
): TokenSafety {
  const { epoch, held } = facts;
  const own = withConcentration(tokenSafety(token, { epoch, wellKnown }), held);
  return facts.verified ? own : withMarket(own, { ...facts, top10Bps: held?.top10Bps ?? null });
}

function usdSide({ market, quoteReserve, quoteUsd }: MarketEntry): number {
  return (Number(quoteReserve ?? 0n) / 10 ** market.quoteDecimals) * (quoteUsd?.usd ?? 0);
}

const NO_CHANGES: Changes = { '5m': null, '1h': null, '6h': null, '24h': null };

async function changesOf(
  { tape, clock }: Pick<TokenProfileDeps, 'tape' | 'clock'>,
  snapshot: MarketSnapshot,
  { primary, change24h, change24hQuote }: TokenFigures,
): Promise<Pick<TokenProfile, 'change' | 'changeQuote'>> {
  if (primary === null || primary.stats === null) return { change: NO_CHANGES, changeQuote: NO_CHANGES };
  const now = Math.floor(clock.now() / 1_000);
  const { quoteMint } = primary.market;
  const inDollar = isDollar(snapshot, quoteMint);
  const quote = inDollar ? null : inDollars(snapshot, quoteMint);
  const over = async (seconds: number): Promise<readonly [number | null, number | null]> => {
    const [own, other] = await Promise.all([
      pricesAt(tape, primary, now - seconds),
      pricesAt(tape, quote, now - seconds),
    ]);
    return [
      dollarChange(own, inDollar ? 'dollar' : other),
      own === null ? null : changePercent(own.now, own.before),
    ];
  };
  const [m5, h1, h6] = await Promise.all([over(SPANS['5m']), over(SPANS['1h']), over(SPANS['6h'])]);
  return {
    change: { '5m': m5[0], '1h': h1[0], '6h': h6[0], '24h': change24h },
    changeQuote: { '5m': m5[1], '1h': h1[1], '6h': h6[1], '24h': change24hQuote },
  };
}

/** A market's price now and at a moment. */
async function pricesAt(
  tape: Pick<TapeStore, 'firstTradeBefore'>,
  entry: MarketEntry | null,
  at: number,
): Promise<TwoPrices> {
  const last = entry?.stats?.last ?? null;
  if (entry === null || last === null) return null;
  if (last.at <= at) return { now: last.price, before: last.price };
  const before = await tape.firstTradeBefore(entry.market.id, at);
  return { now: last.price, before: before?.price ?? olderPrice(entry, at) };
}

/** Its trades are gone; the figures remember the price. */
function olderPrice({ stats }: MarketEntry, at: number): string | null {
  const first = stats?.firstIsBefore === true ? stats.first : null;
  return first !== null && first.at <= at ? first.price : null;
}

type Holdings = Pick<TokenProfile, 'holders' | 'holdersAtLeast' | 'top10Percent' | 'concentration'>;

/** What a node does not tell is not known; the rest of the profile stands. */
async function holdingsOf(
  { holders, market, chain }: Pick<TokenProfileDeps, 'holders' | 'market' | 'chain'>,
  token: Token,
): Promise<Holdings> {
  const [counted, ranking, snapshot] = await Promise.all([
    holders.count(token).catch(() => null),
    holders.largest(token.mint).catch(() => null),
    market.snapshot(),
  ]);
  const [listed, ranked] = await Promise.all([
    counted === null ? holders.list(token.mint).catch(() => null) : null,
    ranking === null ? null : withOwners(chain, ranking),
  ]);
  const { holders: count, atLeast, largest } = holderFigures({ counted, listed, largest: ranked });
  const none = { holders: count, holdersAtLeast: atLeast, top10Percent: null, concentration: null };
  if (largest === null) return none;
  const pools = new Set(
    tokenMarkets(snapshot, token.mint).entries.flatMap(({ market: m }) => [
      m.address,
      m.baseVault,
      m.quoteVault,
    ]),
  );
  const held = concentration(largest, token.supply, pools);
  return held === null ? none : { ...none, top10Percent: held.top10Bps / 100, concentration: held };
}

/** Whose accounts they are tells the burnt part; where that cannot be read, the shares lack it. */
async function withOwners(
  chain: Pick<Chain, 'accounts'>,
  ranking: readonly Omit<LargestAccount, 'owner'>[],
): Promise<readonly LargestAccount[]> {
  const states = await chain.accounts(ranking.map(({ account }) => account)).catch(() => null);
  return ranking.map((one, index) => {
    const state = states?.accounts[index] ?? null;
    return { ...one, owner: state === null ? null : (readTokenAccount(state)?.owner ?? null) };
  });
}

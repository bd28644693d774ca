import { type Address, WSOL_MINT } from '@tradepost/solana';
import { slotOfTrade } from '@tradepost/tape';
import type { Bps } from '../../../core/amounts/bps.ts';
import { ageAt } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../../market/rules/market.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import { type AutoSlippage, autoSlippage, type HopFacts, type Learned } from '../rules/auto-slippage.ts';
import { type LandingTime, landingTime, raisedAfterFailure, raisedByLandings } from '../rules/landings.ts';
import type { VerdictStore } from '../store/verdict-store-port.ts';

export type AutoSlippageDeps = {
  readonly tape: Pick<TapeStore, 'firstTradeBefore' | 'trades'>;
  readonly markets: Pick<MarketStore, 'ofMint'>;
  readonly db: Pick<Stores, 'launches'>;
  readonly verdicts: Pick<VerdictStore, 'landings' | 'landingSlots'>;
  readonly chain: Pick<Chain, 'slotMs'>;
  readonly clock: Clock;
};

const WHOLE_SECONDS = 600;
const DAY_SECONDS = 86_400;
const MOST_TRADES = 2_000;
/** The desk's own landings that count. */
const LANDINGS = { sinceMs: 7 * DAY_SECONDS * 1_000, most: 500, timed: 100 } as const;

/**
 * The slippage of a trade of a token, from the moves of its markets on the tape: its busiest one, and where that is not against SOL the
 * busiest of the token it is against. The desk's own landings of seven days, at most 500, raise it up to two times. A trade
 * of this wallet that the price failed a moment ago raises it by half. One lands as long as nine of ten of the last 100 did; five slots where
 * fewer than 20 are known. Throws DATABASE_UNREACHABLE.
 */
export async function slippageNow(
  deps: AutoSlippageDeps,
  asked: {
    readonly mint: Address;
    readonly side: 'buy' | 'sell';
    readonly capBps: Bps;
    /** The wallet that would trade; absent: no particular one. */
    readonly wallet?: Address;
  },
): Promise<AutoSlippage> {
  const now = Math.floor(deps.clock.now() / 1_000);
  const first = await busiest(deps, asked.mint, now);
  const other = first === null ? WSOL_MINT : otherOf(first.market, asked.mint);
  const second = other === WSOL_MINT ? null : await busiest(deps, other, now, WSOL_MINT);
  const read = [
    ...(first === null ? [] : [{ ...first, mint: asked.mint }]),
    ...(second === null ? [] : [{ ...second, mint: other }]),
  ];
  const launch = await deps.db.launches.find(asked.mint);
  const isCurve = launch !== null && launch.graduatedAt === null;
  const [learned, landing] = await Promise.all([learnedNow(deps, asked, isCurve), landingNow(deps)]);
  if (read.length === 0) return autoSlippage([unknownHop(isCurve)], 0n, asked.capBps, learned, landing);
  const hops = await Promise.all(
    read.map(async (one) => ({
      losesUp: (asked.side === 'buy') === (one.market.baseMint === one.mint),
      ...(await hopOf(deps, one, now, isCurve && one.mint === asked.mint)),
    })),
  );
  const newest = read.flatMap(({ trades }) => trades.slice(0, 1));
  const slots = newest.map(({ id, at }) => {
    const since = Math.floor((ageAt(at, now) * 1_000) / deps.chain.slotMs());
    return slotOfTrade(id) + BigInt(since);
  });
  const nowSlot = slots.reduce((most, slot) => (slot > most ? slot : most), 0n);
  return autoSlippage(hops, nowSlot, asked.capBps, learned, landing);
}

/** How long the desk's own trades of late took from their quote to their block; null where fewer than 20 are known. Throws DATABASE_UNREACHABLE. */
export async function landingNow({
  verdicts,
  clock,
}: {
  readonly verdicts: Pick<VerdictStore, 'landingSlots'>;
  readonly clock: Clock;
}): Promise<LandingTime | null> {
  return landingTime(await verdicts.landingSlots(clock.now() - LANDINGS.sinceMs, LANDINGS.timed));
}

async function learnedNow(
  { verdicts, clock }: Pick<AutoSlippageDeps, 'verdicts' | 'clock'>,
  { mint, wallet }: { readonly mint: Address; readonly wallet?: Address },
  isCurve: boolean,
): Promise<Learned> {
  const now = clock.now();
  const landings = await verdicts.landings(now - LANDINGS.sinceMs, LANDINGS.most);
  const again = wallet === undefined ? 1 : raisedAfterFailure({ mint, wallet }, landings, now);
  return (tapeBps) => {
    const { factor, record } = raisedByLandings(tapeBps, { mint, isCurve }, landings);
    return { factor: factor * again, record };
  };
}

type Read = { readonly market: Market; readonly trades: Awaited<ReturnType<TapeStore['trades']>> };

const unknownHop = (isCurve: boolean): HopFacts => ({
  trades: [],
  losesUp: true,
  isWhole: false,
  age: isCurve ? 'curve' : 'young',
});

const otherOf = ({ baseMint, quoteMint }: Market, mint: Address): Address =>
  baseMint === mint ? quoteMint : baseMint;

/** The market with most trades in the last ten minutes; null where none is recorded. */
async function busiest(
  { tape, markets }: Pick<AutoSlippageDeps, 'tape' | 'markets'>,
  mint: Address,
  now: number,
  against: Address | null = null,
): Promise<Read | null> {
  const all = (await markets.ofMint(mint)).filter(
    (market) => market.followed && (against === null || otherOf(market, mint) === against),
  );
  const read = await Promise.all(
    all.map(async (market) => ({
      market,
      trades: await tape.trades(market.id, { since: now - WHOLE_SECONDS, limit: MOST_TRADES }),
    })),
  );
  const [most] = read.toSorted((one, other) => other.trades.length - one.trades.length);
  return most ?? null;
}

async function hopOf(
  { tape }: Pick<AutoSlippageDeps, 'tape'>,
  { market, trades }: Read,
  now: number,
  isCurve: boolean,
): Promise<Omit<HopFacts, 'losesUp'>> {
  const [minutes, day] = await Promise.all([
    tape.firstTradeBefore(market.id, now - WHOLE_SECONDS),
    tape.firstTradeBefore(market.id, now - DAY_SECONDS),
  ]);
  return {
    trades: trades
      .filter(({ dust }) => !dust)
      .map(({ id, price }) => ({ slot: slotOfTrade(id), price: Number(price) }))
      .reverse(),
    isWhole: minutes !== null && market.gapSince === null,
    age: isCurve || market.kind === 'lamports' ? 'curve' : day === null ? 'young' : 'old',
  };
}

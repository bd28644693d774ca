import type { Address } from '@tradepost/solana';
import { slotOfTrade } from '@tradepost/tape';
import { isAppError } from '../../../core/errors/app-error.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { MarketFeed } from '../../../platform/ports/market-feed.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import type { TapeEvent, TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../../market/rules/market.ts';
import type { MarketStore } from '../../market/store/market-store-port.ts';
import type { SolPrice } from '../../market/use/sol-price.ts';
import { FOLLOW_LIMITS, type Follow, isWanted } from '../rules/follow.ts';
import { encodeFollowDigest, encodeFollowTrade } from '../rules/follow-notice.ts';
import { type LeaderTrade, leaderTrades, type PoolTrade } from '../rules/leader-trade.ts';
import { afterDigest, afterTold } from '../rules/told-hour.ts';
import { signalDigests, signalNotices } from './tell-signals.ts';

/** Without anybody who follows, and where no commit of the tape was heard of. */
const ROUND_MS = 15_000;
/** Events of the log in one commit, and commits in one round. */
const AT_ONCE = 1_000;
const BATCHES = 50;
const SOL = 1_000_000_000n;

export type FollowWatchDeps = {
  readonly db: Database;
  readonly tape: Pick<TapeStore, 'logEnd' | 'logAfter'>;
  readonly markets: Pick<MarketStore, 'all'>;
  readonly feed: Pick<MarketFeed, 'listen'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly solPrice: SolPrice;
  /** SOL first, then dollars with six decimals. */
  readonly money: readonly [sol: Address, ...dollars: readonly Address[]];
  /** Wakes the sender of notices. */
  readonly nudge: () => void;
  readonly onChange: (listener: () => void) => void;
  /** Trades of followed wallets were written down, or taken back. */
  readonly onTrades?: () => void;
  readonly log: Pick<Logger, 'warn'>;
};

export type FollowWatch = {
  /** One round: reads the log of the tape since the last one. Milliseconds until the next; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/**
 * Tells people of the trades of the wallets that they follow, and of several that bought the same token, each once: the part of the log, the trades, the notices and the place
 * of the reader are one commit. Several processes may read beside each other: the one that moves the place tells.
 */
export function createFollowWatch(deps: FollowWatchDeps): FollowWatch {
  const known = new Map<number, Pick<Market, 'baseMint' | 'quoteMint'>>();
  let poke = (): void => undefined;
  let stopListening: (() => void) | null = null;
  deps.onChange(() => poke());

  async function pools(
    events: readonly TapeEvent[],
  ): Promise<ReadonlyMap<number, Pick<Market, 'baseMint' | 'quoteMint'>>> {
    if (events.some(({ kind, marketId }) => kind === 'trade' && !known.has(marketId)))
      for (const { id, baseMint, quoteMint } of await deps.markets.all())
        known.set(id, { baseMint, quoteMint });
    return known;
  }

  async function readOn(): Promise<boolean> {
    const place = await deps.db.follows.place();
    if (place === null) {
      await deps.db.follows.startAt(await deps.tape.logEnd());
      return false;
    }
    const events = await deps.tape.logAfter(place, { limit: AT_ONCE, marketIds: null });
    const last = events.at(-1);
    if (last === undefined) return false;
    const batch = {
      events,
      from: place,
      to: last.place,
      markets: await pools(events),
      // Behind the log: a wallet that is followed before it trades is among them.
      leaders: new Set(await deps.db.follows.leaders()),
    };
    if (await commit(deps, batch)) deps.nudge();
    return events.length === AT_ONCE;
  }

  return {
    round: async () => {
      try {
        if ((await deps.db.follows.leaders()).length === 0) {
          // At rest nothing is heard and nothing is read.
          stopListening?.();
          stopListening = null;
          return ROUND_MS;
        }
        stopListening ??= deps.feed.listen(() => poke());
        for (let batch = 0; batch < BATCHES && (await readOn()); batch += 1);
        await tellDigests(deps);
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'trades of followed wallets could not be read');
      }
      return ROUND_MS;
    },
    onAdd: (listener) => {
      poke = listener;
    },
    stop: async () => stopListening?.(),
  };
}

type Batch = {
  readonly events: readonly TapeEvent[];
  readonly from: bigint;
  readonly to: bigint;
  readonly markets: ReadonlyMap<number, Pick<Market, 'baseMint' | 'quoteMint'>>;
  readonly leaders: ReadonlySet<Address>;
};

/** True when a notice was added. */
async function commit(deps: FollowWatchDeps, batch: Batch): Promise<boolean> {
  const found = leaderTrades(poolTrades(batch), deps.money);
  const gone = batch.events.flatMap(({ kind, tradeId }) => (kind === 'retracted' ? [tradeId] : []));
  const microUsdPerSol = found.length === 0 ? null : await deps.solPrice();
  const told = await deps.db.transact(async (stores) => {
    if (!(await stores.follows.movePlace(batch.from, batch.to))) return false;
    const back = await stores.follows.takeBack(gone);
    const stands = await stores.follows.record(found);
    // A trade that a fork took back and brought again within one batch is as it was.
    const same = new Set(stands.filter(({ how }) => how === 'back').map(({ trade }) => keyOf(trade)));
    const taken = back.filter((trade) => !same.has(keyOf(trade)));
    const before = new Set(back.map(keyOf));
    const told = stands.flatMap(({ trade, how }) =>
      how === 'moved' || before.has(keyOf(trade)) ? [] : [trade],
    );
    if (stands.length === 0 && taken.length === 0) return false;
    // A trade that moved is no news by itself, and may complete a signal at its new time.
    const standing = stands.map(({ trade }) => trade);
    const worthOf = worthIn(deps.money[0], microUsdPerSol);
    return tellAll(deps, stores, { told, taken, standing, worthOf });
  });
  if (found.length + gone.length > 0) deps.onTrades?.();
  return told;
}

const keyOf = ({ leader, signature, mint, side }: LeaderTrade): string =>
  [leader, signature, mint, side].join(' ');

/**
 * Trades of followed wallets, with the mints of their markets. A transaction is in one block: of two that the log names the later word
 * counts, and a place that a fork filled anew counts once.
 */
function poolTrades({ events, markets, leaders }: Batch): readonly PoolTrade[] {
  const found = new Map<bigint, PoolTrade>();
  const slots = new Map<string, bigint>();
  for (const event of events) {
    if (event.kind !== 'trade' || !leaders.has(event.trade.trader)) continue;
    const market = markets.get(event.marketId);
    if (market === undefined) continue;
    found.set(event.tradeId, { ...event.trade, ...market });
    slots.set(event.trade.signature, slotOfTrade(event.tradeId));
  }
  return [...found.values()].filter(({ id, signature }) => slots.get(signature) === slotOfTrade(id));
}

async function tellAll(
  deps: FollowWatchDeps,
  stores: Stores,
  news: {
    readonly told: readonly LeaderTrade[];
    readonly taken: readonly LeaderTrade[];
    /** Every trade that this commit wrote down, told or not. */
    readonly standing: readonly LeaderTrade[];
    readonly worthOf: (trade: LeaderTrade) => bigint | null;
  },
): Promise<boolean> {
  const leaders = [...new Set([...news.told, ...news.taken].map(({ leader }) => leader))];
  const follows = new Map((await stores.follows.followersOf(leaders)).map((follow) => [follow.id, follow]));
  const now = deps.clock.now();
  const counted = new Set<string>();
  const notices: Parameters<typeof addNotices>[2][number][] = [];
  const wanting = (trade: LeaderTrade): readonly Follow[] => {
    const worth = { at: trade.at, lamports: news.worthOf(trade) };
    return [...follows.values()]
      .filter(({ leader }) => leader === trade.leader)
      .filter((one) => isWanted(one, worth));
  };
  for (const trade of news.told)
    for (const follow of wanting(trade)) {
      const { after, tells } = afterTold(follow, now);
      follows.set(follow.id, after);
      counted.add(follow.id);
      if (tells) notices.push(noticeOf('follow-trade', follow, trade));
    }
  await stores.follows.count([...follows.values()].filter(({ id }) => counted.has(id)));
  for (const trade of news.taken)
    for (const follow of wanting(trade)) notices.push(noticeOf('follow-back', follow, trade));
  const { money } = deps;
  const { standing: trades, worthOf } = news;
  notices.push(...(await signalNotices(stores, { trades, money, worthOf, now })));
  await addNotices(deps, stores, notices);
  return notices.length > 0;
}

const noticeOf = (kind: 'follow-trade' | 'follow-back', { id, userId }: Follow, trade: LeaderTrade) => ({
  userId,
  intentId: null,
  kind,
  payload: encodeFollowTrade({ followId: id, trade }),
});

/** A trade's worth in lamports; null where it was not paid in money, or where the price of SOL is not known. */
function worthIn(sol: Address, microUsdPerSol: bigint | null): (trade: LeaderTrade) => bigint | null {
  return ({ paid }) => {
    if (paid === null) return null;
    if (paid.mint === sol) return paid.units;
    return microUsdPerSol === null || microUsdPerSol === 0n ? null : (paid.units * SOL) / microUsdPerSol;
  };
}

/** Trades and signals that were only counted are sent as a number when their hour is over. */
async function tellDigests(deps: FollowWatchDeps): Promise<void> {
  const told = await deps.db.transact(async (stores) => {
    const hourAtMost = deps.clock.now() - FOLLOW_LIMITS.hourMs;
    const due = await stores.follows.dueDigests(hourAtMost);
    await stores.follows.count(due.map(afterDigest));
    const notices = due.map(({ id, userId, hourHeld }) => ({
      userId,
      intentId: null,
      kind: 'follow-digest' as const,
      payload: encodeFollowDigest({ followId: id, count: hourHeld }),
    }));
    const signals = await signalDigests(stores, hourAtMost);
    await addNotices(deps, stores, [...notices, ...signals]);
    return notices.length + signals.length;
  });
  if (told > 0) deps.nudge();
}

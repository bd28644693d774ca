import type { Address } from '@tradepost/solana';
import type { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Follow } from '../rules/follow.ts';
import type { LeaderTrade } from '../rules/leader-trade.ts';
import { type Signal, signalWindows, type WeighedTrade } from '../rules/signal.ts';
import { encodeSignal, encodeSignalDigest } from '../rules/signal-notice.ts';
import { afterDigest, afterTold } from '../rules/told-hour.ts';

type NoticeToAdd = Parameters<typeof addNotices>[2][number];
type SignalStores = Pick<Stores, 'follows' | 'signals'>;

/** The trades of one commit of the reader. */
type Bought = {
  /** Trades that were written down now, or stand again. */
  readonly trades: readonly LeaderTrade[];
  /** SOL, then dollars: no token of a signal. */
  readonly money: readonly Address[];
  /** Of a trade, in lamports; null where it is not known. */
  readonly worthOf: (trade: LeaderTrade) => bigint | null;
  /** Epoch milliseconds. */
  readonly now: number;
};

/**
 * The notices of signals that these trades complete, each window of a person and token once. The windows are kept, and the hours counted, in
 * the caller's transaction. No notice beyond twenty in an hour: those are counted for `signalDigests`.
 */
export async function signalNotices(stores: SignalStores, bought: Bought): Promise<readonly NoticeToAdd[]> {
  const fresh = bought.trades.filter(({ side, mint }) => side === 'buy' && !bought.money.includes(mint));
  if (fresh.length === 0) return [];
  const signals = await stores.signals.ofFollowers([...new Set(fresh.map(({ leader }) => leader))]);
  if (signals.length === 0) return [];
  const { followsOf, trades, toldUntil } = await loadAll(stores, signals, fresh);
  const weighed = trades.map((trade) => ({ ...trade, lamports: bought.worthOf(trade) }));
  const notices: NoticeToAdd[] = [];
  for (const signal of signals) {
    const follows = followsOf(signal.userId);
    let hour = signal;
    for (const [mint, since] of newestMints(fresh, follows, signal.spanMs)) {
      const windows = signalWindows(signal, tradesOf(weighed, mint, since), {
        follows,
        money: bought.money,
        toldUntil: toldUntil.get(keyOf(signal.userId, mint)) ?? null,
      });
      for (const window of windows) {
        const { beganAt, until } = window;
        if (!(await stores.signals.addHit({ userId: signal.userId, mint, beganAt, until }))) continue;
        const { after, tells } = afterTold(hour, bought.now);
        hour = after;
        if (tells) notices.push(noticeOf(signal, encodeSignal({ ...window, mint, wallets: signal.wallets })));
      }
    }
    if (hour !== signal) await stores.signals.count(hour);
  }
  return notices;
}

/** The notices of signals that were only counted, once the hour of each is over; its count begins anew in the caller's transaction. */
export async function signalDigests(
  stores: SignalStores,
  hourAtMost: number,
): Promise<readonly NoticeToAdd[]> {
  const due = await stores.signals.dueDigests(hourAtMost);
  for (const signal of due) await stores.signals.count(afterDigest(signal));
  return due.map(({ userId, hourHeld }) => ({
    userId,
    intentId: null,
    kind: 'signal-digest',
    payload: encodeSignalDigest({ count: hourHeld }),
  }));
}

const keyOf = (userId: string, mint: Address): string => `${userId} ${mint}`;

const noticeOf = ({ userId }: Signal, payload: unknown): NoticeToAdd => ({
  userId,
  intentId: null,
  kind: 'signal',
  payload,
});

/** Three statements for all signals: their people's follows, what these wallets bought of the tokens, and the windows of earlier notices. */
async function loadAll(stores: SignalStores, signals: readonly Signal[], fresh: readonly LeaderTrade[]) {
  const userIds = signals.map(({ userId }) => userId);
  const mints = [...new Set(fresh.map(({ mint }) => mint))];
  const earliest = fresh.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const longest = signals.reduce((most, { spanMs }) => Math.max(most, spanMs), 0);
  const follows = await stores.follows.ofPeople(userIds);
  const leaders = [...new Set(follows.map(({ leader }) => leader))];
  const trades = await stores.follows.purchases(leaders, mints, { since: earliest - longest, until: null });
  const hits = await stores.signals.hits(userIds, mints);
  const byUser = new Map<string, Follow[]>(userIds.map((userId) => [userId, []]));
  for (const follow of follows) byUser.get(follow.userId)?.push(follow);
  return {
    followsOf: (userId: string): readonly Follow[] => byUser.get(userId) ?? [],
    trades,
    toldUntil: new Map(hits.map(({ userId, mint, until }) => [keyOf(userId, mint), until])),
  };
}

/** The tokens that followed wallets bought now, each with the earliest moment that a window with such a purchase reaches back to. */
function newestMints(
  fresh: readonly LeaderTrade[],
  follows: readonly Follow[],
  spanMs: number,
): ReadonlyMap<Address, number> {
  const followed = new Set(follows.map(({ leader }) => leader));
  const since = new Map<Address, number>();
  for (const { leader, mint, at } of fresh)
    if (followed.has(leader))
      since.set(mint, Math.min(since.get(mint) ?? Number.POSITIVE_INFINITY, at - spanMs));
  return since;
}

const tradesOf = (trades: readonly WeighedTrade[], mint: Address, since: number): readonly WeighedTrade[] =>
  trades.filter((trade) => trade.mint === mint && trade.at >= since);

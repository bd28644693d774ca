import type { Address } from '@tradepost/solana';
import { type Follow, isWanted } from './follow.ts';
import type { LeaderTrade } from './leader-trade.ts';
import type { ToldHour } from './told-hour.ts';

/** A person's wish to hear that several followed wallets bought the same token. It tells and trades nothing. */
export type Signal = ToldHour & {
  readonly userId: string;
  /** Different wallets that it takes. */
  readonly wallets: number;
  /** Milliseconds within which they buy. */
  readonly spanMs: number;
};

export const SIGNAL_LIMITS = {
  wallets: { least: 2, most: 10 },
  spanMs: { least: 60_000, most: 86_400_000 },
  /** Purchases of one wallet in one token that are looked at, the newest: a robot makes thousands a day. */
  purchases: 20,
} as const;

/** A stretch of time in which enough wallets bought one token. Epoch milliseconds, both ends belong to it. */
export type SignalWindow = {
  readonly beganAt: number;
  readonly until: number;
  /** Each once, in the order of their first purchases. */
  readonly leaders: readonly Address[];
};

/** A trade with its worth in lamports; null where that is not known. */
export type WeighedTrade = Pick<LeaderTrade, 'leader' | 'mint' | 'side' | 'at' | 'takenBack'> & {
  readonly lamports: bigint | null;
};

/**
 * The windows of one token that a person is to hear of, in order. A window begins with a purchase and lasts the span of the signal. Purchases
 * up to `toldUntil`, the end of the newest window of before, count in none, nor do those of a window in a later one.
 * A wallet counts once. A purchase that a fork took back, a sale, and `money` never count. A wallet without notices counts; its bar and the moment
 * from which it is followed hold as for its notices.
 */
export function signalWindows(
  { wallets, spanMs }: Pick<Signal, 'wallets' | 'spanMs'>,
  trades: readonly WeighedTrade[],
  {
    follows,
    money,
    toldUntil,
  }: {
    readonly follows: readonly Follow[];
    readonly money: readonly Address[];
    readonly toldUntil: number | null;
  },
): readonly SignalWindow[] {
  const followOf = new Map(follows.map((follow) => [follow.leader, follow]));
  const left = trades
    .filter(({ at }) => toldUntil === null || at > toldUntil)
    .filter((trade) => isPurchase(trade, money) && isWantedOf(followOf.get(trade.leader), trade))
    .toSorted((one, other) => one.at - other.at);
  const found: SignalWindow[] = [];
  /** The purchases from `first` up to `end` by wallet: those of the window that begins with `first`. */
  const inside = new Map<Address, number>();
  for (let first = 0, end = 0; first < left.length; ) {
    const beganAt = left[first]?.at ?? 0;
    for (; end < left.length && (left[end]?.at ?? 0) <= beganAt + spanMs; end += 1) add(inside, left[end], 1);
    if (inside.size < wallets) {
      add(inside, left[first], -1);
      first += 1;
      continue;
    }
    const leaders = [...new Set(left.slice(first, end).map(({ leader }) => leader))];
    found.push({ beganAt, until: beganAt + spanMs, leaders });
    inside.clear();
    first = end;
  }
  return found;
}

function add(inside: Map<Address, number>, trade: WeighedTrade | undefined, by: 1 | -1): void {
  if (trade === undefined) return;
  const count = (inside.get(trade.leader) ?? 0) + by;
  if (count === 0) inside.delete(trade.leader);
  else inside.set(trade.leader, count);
}

const isPurchase = ({ side, mint, takenBack }: WeighedTrade, money: readonly Address[]): boolean =>
  side === 'buy' && !takenBack && !money.includes(mint);

const isWantedOf = (follow: Follow | undefined, trade: WeighedTrade): boolean =>
  follow !== undefined && isWanted({ ...follow, notices: true }, trade);

import { type RecordedTrade, slotOfTrade } from '@tradepost/tape';

/** A trade of one market, as far as the verdict needs it. */
export type SeenTrade = Pick<
  RecordedTrade,
  'id' | 'side' | 'base' | 'quote' | 'fee' | 'trader' | 'signature' | 'dust'
>;

/** Two trades around a third. `sure`: one trader made both. `likely`: they moved the same amount. */
export type Sandwich = {
  readonly certainty: 'sure' | 'likely';
  readonly front: SeenTrade;
  readonly back: SeenTrade;
  /** How much worse the price of the same units was than without the front, in hundredths of a percent; rounded down, at least 0. */
  readonly costBps: number;
};

/**
 * What the tape shows around a landed trade. `none`: it is on the tape, and no sandwich is around it. `not-known`: the tape does not have it,
 * or not all around it.
 */
export type Verdict = Sandwich | { readonly certainty: 'none' } | { readonly certainty: 'not-known' };

/** A leader makes the blocks of so many slots in a row, and only he orders them. */
const LEADER_SLOTS = 4n;
/** The back gives up at least so much of what the front took. */
const LEAST_BACK_PERCENT = 80n;
/** Amounts of two traders that differ by no more than this belong together. */
const SAME_AMOUNT_PERCENT = 2n;

/**
 * The sandwich around the trade with this signature, the one with the largest front; null where there is none. `around`: every trade of
 * the market from one slot before to one slot after it, in any order. Its own trader's other trades are no part of one.
 */
export function sandwichOf(around: readonly SeenTrade[], signature: string): Sandwich | null {
  let found: Sandwich | null = null;
  for (const ours of around.filter((one) => one.signature === signature)) {
    const others = around.filter(
      (one) => one.trader !== ours.trader && one.signature !== signature && !one.dust,
    );
    const fronts = others.filter((one) => one.side === ours.side && one.id < ours.id);
    const backs = others.filter((one) => one.side !== ours.side && one.id > ours.id);
    for (const front of fronts) {
      if (found !== null && front.base <= found.front.base) continue;
      const pairs = backs.filter((back) => belongsTo(front, back));
      const back =
        pairs.find(({ trader }) => trader === front.trader) ?? pairs.find((one) => isSame(front, one));
      if (back === undefined) continue;
      const certainty = back.trader === front.trader ? 'sure' : 'likely';
      found = { certainty, front, back, costBps: costOf(ours, front, back) };
    }
  }
  return found;
}

/** Within one leader's slots, most of the amount, and at a better price than the front had. */
function belongsTo(front: SeenTrade, back: SeenTrade): boolean {
  const window = (trade: SeenTrade): bigint => slotOfTrade(trade.id) / LEADER_SLOTS;
  if (window(front) !== window(back)) return false;
  if (back.base * 100n < front.base * LEAST_BACK_PERCENT) return false;
  const [sold, bought] = front.side === 'buy' ? [back, front] : [front, back];
  return sold.quote * bought.base > bought.quote * sold.base;
}

function isSame(front: SeenTrade, back: SeenTrade): boolean {
  const gap = front.base > back.base ? front.base - back.base : back.base - front.base;
  return gap * 100n <= front.base * SAME_AMOUNT_PERCENT;
}

/**
 * How much worse the price was than without the front. On a curve of constant product a trade's price is the geometric mean of the prices
 * before and after it. So the price without the front is front × back ÷ ours. On other curves it is about that. Fees are left out.
 */
function costOf(ours: SeenTrade, front: SeenTrade, back: SeenTrade): number {
  const [o, f, b] = [netQuote(ours), netQuote(front), netQuote(back)];
  const paid = o * o * front.base * back.base;
  const fair = f * b * ours.base * ours.base;
  if (paid <= 0n || fair <= 0n) return 0;
  const bps = ours.side === 'buy' ? ((paid - fair) * 10_000n) / fair : ((fair - paid) * 10_000n) / fair;
  return bps > 0n ? Number(bps) : 0;
}

/** The quote that moved the price: a buyer pays the fee on top, a seller has it taken off. */
function netQuote({ side, quote, fee }: SeenTrade): bigint {
  if (fee === null) return quote;
  return side === 'buy' ? quote - fee : quote + fee;
}

import { ageAt, leftAt } from '../../../core/time/age.ts';
import type { PriceView } from '../rules/book.ts';
import { BLIND_MS } from '../rules/hold-window.ts';

/** `anew`: nothing new was seen for ten seconds before, so nothing is known of the time between. `nothing`: it says nothing of now. */
type News = 'goes-on' | 'anew' | 'nothing';

/** The last state of the chain that a token was seen at. A look at the same slot says that a node or the chain has stopped. */
export type LastSeen = {
  see(view: PriceView): News;
  /** The first look at the last slot; null before the first. */
  view(): PriceView | null;
  /** Epoch milliseconds of the last new slot with a price; at first, when it began to look. */
  pricedAt(): number;
  /** True when no new slot was seen for too long, the first time it is asked then. */
  turnsBlind(now: number): boolean;
};

/** Looks may arrive out of order by less. */
const SET_BACK_MS = 1_000;

export function createLastSeen(beginsAt: number): LastSeen {
  let last: PriceView | null = null;
  let pricedAt = beginsAt;
  let isBlind = false;
  // A clock that was set back says as little about the time between as a long silence.
  const isLate = (now: number): boolean =>
    last !== null && (ageAt(last.at, now) > BLIND_MS || leftAt(last.at, now) > SET_BACK_MS);
  return {
    see: (view) => {
      if (last !== null && view.slot === last.slot) return isBlind ? 'nothing' : 'goes-on';
      // After such a time another node may answer, one that is behind; and a slot that was a lie must not hide all that come.
      const isAnew = isLate(view.at);
      if (last !== null && view.slot < last.slot && !isAnew) return 'nothing';
      last = view;
      isBlind = false;
      if (view.atMost('sell', 0) !== null) pricedAt = view.at;
      return isAnew ? 'anew' : 'goes-on';
    },
    view: () => last,
    pricedAt: () => pricedAt,
    turnsBlind: (now) => {
      if (isBlind || !isLate(now)) return false;
      isBlind = true;
      return true;
    },
  };
}

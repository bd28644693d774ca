import { type Look, spansHold } from './hold-window.ts';
import { compareRates, type Rate } from './rate.ts';

/**
 * The least rate of the time that a high must be held for. A look is asked for its rate when it is needed, and once. As for a
 * window (`isHeld`): followed slots are counted, and of a token that is polled the time and the slots between looks count, however
 * few looks there are. A slow node would else never let a high rise.
 */
export type HeldLow = {
  push(rate: () => Rate, look: Pick<Look, 'slot' | 'at' | 'how'>): void;
  /** Null before enough was seen. */
  low(): Rate | null;
  clear(): void;
};

type Seen = Pick<Look, 'slot' | 'at' | 'how'> & { readonly rate: () => Rate; known: Rate | null };

/** A pump of fewer slots does not show in it. */
export function createHeldLow(holdSlots: number): HeldLow {
  let looks: Seen[] = [];

  /** Whether the looks from `first` on are enough. */
  const isEnough = (first: Seen | undefined, count: number): boolean => {
    const last = looks.at(-1);
    if (first === undefined || last === undefined) return false;
    if (holdSlots <= 1) return true;
    return last.how === 'polled' ? spansHold(first, last, holdSlots) : count >= holdSlots;
  };

  return {
    push(rate, { slot, at, how }) {
      looks.push({ rate, known: null, slot, at, how });
      while (isEnough(looks[1], looks.length - 1)) looks.shift();
    },
    low() {
      if (!isEnough(looks[0], looks.length)) return null;
      let least: Rate | null = null;
      for (const look of looks) {
        look.known ??= look.rate();
        if (least === null || compareRates(look.known, least) < 0) least = look.known;
      }
      return least;
    },
    clear() {
      looks = [];
    },
  };
}

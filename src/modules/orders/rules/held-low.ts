import { type Look, lastsHold, spansHold } from './hold-window.ts';
import { compareRates, type Rate } from './rate.ts';

/**
 * The least rate of the time that a high must be held for. A look is asked for its rate when it is needed, and once. As for a
 * window (`isHeld`): the time of followed slots counts, and of a token that is polled the time and the slots between looks count, however
 * few looks there are. A slow node would else never let a high rise.
 */
export type HeldLow = {
  push(rate: () => Rate, look: Pick<Look, 'slot' | 'at' | 'how'>): void;
  /** Null before enough was seen. */
  low(): Rate | null;
  clear(): void;
};

type Seen = Pick<Look, 'slot' | 'at' | 'how'> & {
  readonly rate: () => Rate;
  known: Rate | null;
  /** Up to it, since the first look of all: slots that followed the one before, and their milliseconds. */
  readonly steps: number;
  readonly stepsMs: number;
};

/** A pump of less time does not show in it. */
export function createHeldLow(holdMs: number): HeldLow {
  let looks: Seen[] = [];

  /** Whether the looks from `first` on are enough. */
  const isEnough = (first: Seen | undefined, count: number): boolean => {
    const last = looks.at(-1);
    if (first === undefined || last === undefined) return false;
    if (holdMs === 0) return true;
    if (last.how === 'polled') return spansHold(first, last, holdMs);
    const [steps, stepsMs] = [last.steps - first.steps, last.stepsMs - first.stepsMs];
    return lastsHold({ slots: count, steps, stepsMs }, holdMs);
  };

  return {
    push(rate, { slot, at, how }) {
      const before = looks.at(-1);
      const follows = before !== undefined && slot === before.slot + 1n;
      const steps = (before?.steps ?? 0) + (follows ? 1 : 0);
      const stepsMs = (before?.stepsMs ?? 0) + (follows ? at - before.at : 0);
      looks.push({ rate, known: null, slot, at, how, steps, stepsMs });
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

import type { Clock } from '../../../src/platform/ports/clock.ts';
import type { Random } from './random.ts';

const START = Date.UTC(2026, 0, 1);

type Entry = { readonly at: number; readonly tie: number; readonly run: () => void };

/**
 * Virtual time. Nothing in a run waits for anything else: every pause of every simulated process is an entry here, and the
 * next one runs only after all that the last one set free has come to rest. Entries of the same instant go in an order that
 * the seed decides, so another seed is another interleaving and the same seed is the same one.
 */
export function createTimeline(random: Random) {
  const heap: Entry[] = [];
  let now = START;

  const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);

  function push(entry: Entry): void {
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  function pop(): Entry | undefined {
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && before(right, left)) child += 1;
      const smaller = heap[child];
      if (smaller === undefined || !before(smaller, last)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
    return top;
  }

  const at = (time: number, run: () => void): void => {
    push({ at: Math.max(now, time), tie: random.next(), run });
  };
  const clock: Clock = { now: () => now };
  return {
    clock,
    now: () => now,
    elapsed: () => now - START,
    at,
    after: (ms: number, run: () => void) => at(now + ms, run),
    sleep: (ms: number): Promise<void> => new Promise((resolve) => at(now + ms, resolve)),
    /** Plays entries until `isOver` says so or none is left. */
    async play(isOver: () => boolean): Promise<void> {
      for (;;) {
        // Everything that the last entry set free runs to its next pause: promises only, there is no I/O in a run.
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        if (isOver()) return;
        const entry = pop();
        if (entry === undefined) return;
        now = entry.at;
        entry.run();
      }
    },
  };
}

export type Timeline = ReturnType<typeof createTimeline>;

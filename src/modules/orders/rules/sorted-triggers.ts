import type { Rate } from './rate.ts';

type Entry = { readonly id: string; readonly trigger: Rate };

/** Triggers, the one that is met first at the head. */
export type SortedTriggers = {
  add(id: string, trigger: Rate): void;
  remove(id: string, trigger: Rate): void;
  /** Those that a rate meets, from the head: nothing behind them is looked at. */
  whereTrue(rate: Rate): Iterable<Entry>;
  isEmpty(): boolean;
};

/** Sorted by `compare`, then by id. Adding and removing look at a logarithm of the entries. */
export function createSortedTriggers(compare: (a: Rate, b: Rate) => number): SortedTriggers {
  const entries: Entry[] = [];
  const place = (id: string, trigger: Rate): number => {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = entries[middle];
      const order = entry === undefined ? 0 : compare(entry.trigger, trigger);
      if (order < 0 || (order === 0 && entry !== undefined && entry.id < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    add: (id, trigger) => void entries.splice(place(id, trigger), 0, { id, trigger }),
    remove(id, trigger) {
      const index = place(id, trigger);
      if (entries[index]?.id === id) entries.splice(index, 1);
    },
    *whereTrue(rate) {
      for (const entry of entries) {
        if (compare(entry.trigger, rate) > 0) return;
        yield entry;
      }
    },
    isEmpty: () => entries.length === 0,
  };
}

/**
 * The slot up to which all notices have come, and how long ago that was surely so.
 *
 * Notices of a slot come in no particular order, the clock's among them; those of a later slot come after all of an earlier one. So a slot
 * is believed when the clock of a later one has come. A slot without a block and a clock that was lost look alike, unless the node named the
 * parent of the later slot: where that is the slot before, nothing was between. The clock's time says little in a process that was busy, or behind a connection that
 * was stuck: the believed state was read from a queue. Therefore each clock is answered with a ping, and only a pong proves that nothing
 * older is still on its way.
 */
export type SlotBelief = {
  /** The node began a block in `slot` upon the one in `parent`. Comes before the slot's clock, or not at all. */
  readonly began: (slot: bigint, parent: bigint) => void;
  /** The clock of a slot has come: its kind decides how the caller may go on. */
  readonly clock: (slot: bigint, nowMs: number) => 'next' | 'again' | 'gap' | 'backwards';
  /** Everything sent before the ping of `tag` has been read. */
  readonly pong: (tag: string) => void;
  /** The slot whose state is complete; null until two clocks in a row have come. */
  readonly slot: () => bigint | null;
  /** The newest slot that any clock named; null before the first. */
  readonly newest: () => bigint | null;
  /** When the newest clock came; null before the first. */
  readonly toldAt: () => number | null;
  /** Age in ms of the newest state that is proven complete; infinite when none is. */
  readonly ageMs: (nowMs: number) => number;
  /** Pings without a pong. */
  readonly unanswered: () => number;
  readonly reset: () => void;
};

/** Blocks that are begun and not confirmed yet; those of forks that ended are among them. */
const PARENTS_KEPT = 512;

type Beat = { readonly slot: bigint; readonly at: number };

export function createSlotBelief(): SlotBelief {
  let believed: Beat | null = null;
  let newest: Beat | null = null;
  let provenAt = Number.NEGATIVE_INFINITY;
  let pings: Beat[] = [];
  let parents = new Map<bigint, bigint>();

  return {
    began: (slot, parent) => {
      if (parent >= slot) return;
      parents.set(slot, parent);
      for (const oldest of parents.keys()) {
        if (parents.size <= PARENTS_KEPT) break;
        parents.delete(oldest);
      }
    },
    clock: (slot, at) => {
      const before = newest;
      if (before !== null && slot === before.slot) return 'again';
      if (before !== null && slot < before.slot) return 'backwards';
      newest = { slot, at };
      pings.push(newest);
      const isNext = before !== null && (slot === before.slot + 1n || parents.get(slot) === before.slot);
      believed = isNext ? before : null;
      return before === null || isNext ? 'next' : 'gap';
    },
    pong: (tag) => {
      const found = pings.findIndex(({ slot }) => slot.toString() === tag);
      const answered = pings[found];
      if (answered === undefined) return;
      provenAt = Math.max(provenAt, answered.at);
      pings = pings.slice(found + 1);
    },
    slot: () => believed?.slot ?? null,
    newest: () => newest?.slot ?? null,
    toldAt: () => newest?.at ?? null,
    ageMs: (now) =>
      believed === null ? Number.POSITIVE_INFINITY : Math.max(0, now - Math.min(believed.at, provenAt)),
    unanswered: () => pings.length,
    reset: () => {
      believed = null;
      newest = null;
      provenAt = Number.NEGATIVE_INFINITY;
      pings = [];
      parents = new Map();
    },
  };
}

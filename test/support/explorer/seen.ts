import type { Fingerprint } from './fingerprint.ts';
import type { Budget } from './world.ts';

const WORDS = 4;
const EMPTY_MASK = 0;

/** Which worlds were seen, and with how much left. */
export type Seen = {
  /**
   * False when the same world was seen with no less left of anything: whatever may follow now could follow then, for a budget only
   * ever adds steps. Otherwise it is kept.
   */
  add(world: Fingerprint, left: Budget): boolean;
  /** Worlds, whatever is left. */
  readonly size: number;
};

/** Sixteen bytes a world, in one array: text would take ten times that. */
export function createSeen(most: Budget, compares: boolean): Seen {
  const width = { forks: most.forks + 1, lies: most.lies + 1 };
  const places = (most.crashes + 1) * width.forks * width.lies;
  if (places > 32) throw new Error(`a budget of ${places} kinds does not fit into a mask`);
  const bitOf = (crashes: number, forks: number, lies: number): number =>
    1 << ((crashes * width.forks + forks) * width.lies + lies);
  /** The budgets that this one covers: itself and every smaller one. */
  const covered = ({ crashes, forks, lies }: Budget): number => {
    if (!compares) return bitOf(crashes, forks, lies);
    let mask = EMPTY_MASK;
    for (let c = 0; c <= crashes; c += 1)
      for (let f = 0; f <= forks; f += 1) for (let l = 0; l <= lies; l += 1) mask |= bitOf(c, f, l);
    return mask;
  };
  let table = new Uint32Array(WORDS * 2 ** 16);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(world, left) {
      if (size * 2 * WORDS >= table.length) table = grown(table);
      const at = placeOf(table, world);
      const known = table[at + 3] ?? EMPTY_MASK;
      if ((known & bitOf(left.crashes, left.forks, left.lies)) !== 0) return false;
      if (known === EMPTY_MASK) {
        size += 1;
        table.set(world, at);
      }
      table[at + 3] = known | covered(left);
      return true;
    },
  };
}

/** Where this world stands, or the free place where it belongs. A mask of nothing is a free place. */
function placeOf(table: Uint32Array, [a, b, c]: Fingerprint): number {
  const places = table.length / WORDS;
  for (let place = a & (places - 1); ; place = (place + 1) & (places - 1)) {
    const at = place * WORDS;
    if (table[at + 3] === EMPTY_MASK) return at;
    if (table[at] === a && table[at + 1] === b && table[at + 2] === c) return at;
  }
}

function grown(table: Uint32Array): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(table.length * 2);
  for (let at = 0; at < table.length; at += WORDS) {
    const [a = 0, b = 0, c = 0, mask = EMPTY_MASK] = table.subarray(at, at + WORDS);
    if (mask === EMPTY_MASK) continue;
    next.set([a, b, c, mask], placeOf(next, [a, b, c]));
  }
  return next;
}

import { type Address, isAddress } from '../../../core/address/address.ts';

/** Of a catalogue of 50,000: pools that people ask for keep their room. */
export const MOST_SEEDS = 20_000;
const MOST_LINES = 100_000;
const LONGEST_ADDRESS = 44;

/** Pool ids of a seed file, and how many of its lines were none, named one again, or were past the bounds. */
export type PoolSeeds = {
  readonly ids: readonly Address[];
  readonly wrong: number;
  readonly repeated: number;
  readonly leftOut: number;
};

/** One id a line; `#` begins a comment. At most 20,000 ids of the first 100,000 lines. */
export function readPoolSeeds(text: string): PoolSeeds {
  const ids = new Set<Address>();
  let [wrong, repeated, leftOut] = [0, 0, 0];
  for (const [index, line] of text.split('\n').entries()) {
    const word = (line.split('#', 1)[0] ?? '').trim();
    if (word === '') continue;
    if (index >= MOST_LINES) leftOut += 1;
    else if (word.length > LONGEST_ADDRESS || !isAddress(word)) wrong += 1;
    else if (ids.has(word)) repeated += 1;
    else if (ids.size >= MOST_SEEDS) leftOut += 1;
    else ids.add(word);
  }
  return { ids: [...ids], wrong, repeated, leftOut };
}

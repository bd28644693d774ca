import { type Address, isAddress } from '@tradepost/solana';

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

/** A line with a word on it, counted from 1; `before`: the line that named the id first. */
export type SeedLine = { readonly line: number } & (
  | { readonly kind: 'id'; readonly id: Address }
  | { readonly kind: 'repeated'; readonly id: Address; readonly before: number }
  | { readonly kind: 'wrong'; readonly word: string }
  | { readonly kind: 'left-out' }
);

/** One id a line; `#` begins a comment. At most 20,000 ids of the first 100,000 lines. */
export function readPoolSeeds(text: string): PoolSeeds {
  const ids: Address[] = [];
  const counts = { wrong: 0, repeated: 0, 'left-out': 0 };
  for (const one of seedLines(text)) {
    if (one.kind === 'id') ids.push(one.id);
    else counts[one.kind] += 1;
  }
  return { ids, wrong: counts.wrong, repeated: counts.repeated, leftOut: counts['left-out'] };
}

/** Every line of a seed file that is no comment and not empty, in order, by the same bounds as `readPoolSeeds`. */
export function* seedLines(text: string): Generator<SeedLine> {
  const lines = new Map<Address, number>();
  for (const [index, content] of text.split('\n').entries()) {
    const word = (content.split('#', 1)[0] ?? '').trim();
    if (word === '') continue;
    const line = index + 1;
    if (index >= MOST_LINES) yield { line, kind: 'left-out' };
    else if (word.length > LONGEST_ADDRESS || !isAddress(word)) yield { line, kind: 'wrong', word };
    else {
      const before = lines.get(word);
      if (before !== undefined) yield { line, kind: 'repeated', id: word, before };
      else if (lines.size >= MOST_SEEDS) yield { line, kind: 'left-out' };
      else {
        lines.set(word, line);
        yield { line, kind: 'id', id: word };
      }
    }
  }
}

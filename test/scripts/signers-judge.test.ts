import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planted } from '../../scripts/torture/calls/plants.ts';
import { type JudgedTerm, judgeSigners, type SignerCase } from '../../scripts/torture/judge-signers.ts';
import { SIGNERS_PLANTS, type SignersPlant } from '../../scripts/torture/plants.ts';

const line = (signature: string): string => `{"entry":{"kind":"signed","signature":"${signature}"}}`;
const LINES = ['{"entry":{"kind":"open"}}', line('one'), line('two')];
/** Signer b takes over a moment after the end of a's lease. */
const TAKEN: JudgedTerm = { at: 10_000, holder: 'b', ends: 15_000, former: 'a', formerEnds: 9_999 };

const rulesOf = (more: Partial<SignerCase>): readonly string[] =>
  judgeSigners({
    terms: [TAKEN],
    journals: { a: LINES, b: LINES },
    given: ['one', 'two'],
    ...more,
  }).map(({ rule }) => rule);

describe('the judge of two signers', () => {
  it('finds nothing in terms one after the other, and in one journal on two disks', () => {
    expect(rulesOf({})).toEqual([]);
    // Released by its holder, and taken in the same moment.
    expect(rulesOf({ terms: [{ ...TAKEN, formerEnds: 10_000 }] })).toEqual([]);
    expect(rulesOf({ journals: null })).toEqual([]);
  });

  it('names a term that begins before the other one has ended', () => {
    expect(rulesOf({ terms: [TAKEN, { ...TAKEN, formerEnds: 10_001 }] })).toEqual(['side-by-side']);
    expect(rulesOf({ terms: [{ ...TAKEN, formerEnds: 14_000 }], journals: null })).toEqual(['side-by-side']);
  });

  it('leaves a lease alone that is given back at once, and one that an operator gave away', () => {
    expect(rulesOf({ terms: [{ ...TAKEN, formerEnds: 14_000, ends: 10_000 }] })).toEqual([]);
    expect(rulesOf({ terms: [{ ...TAKEN, formerEnds: 14_000, former: '' }] })).toEqual([]);
  });

  it('names folders with different lines, each way', () => {
    const longer = [...LINES, '{"entry":{"kind":"stored"}}'];
    expect(rulesOf({ journals: { a: LINES, b: longer } })).toEqual(['two-journals']);
    expect(rulesOf({ journals: { a: longer, b: LINES } })).toEqual(['two-journals']);
    const other = [LINES[0] ?? '', line('two'), line('one')];
    expect(rulesOf({ journals: { a: LINES, b: other } })).toEqual(['two-journals']);
  });

  it('names a signature that left without its line on a disk', () => {
    expect(rulesOf({ given: ['one', 'three'] })).toEqual(['unwritten', 'unwritten']);
    const without = LINES.slice(0, 2);
    expect(rulesOf({ journals: { a: LINES, b: without } })).toEqual(['two-journals', 'unwritten']);
    // A line that names it in another way is no line of its signing.
    const seen = ['{"entry":{"kind":"stored","signatures":["one"]}}'];
    expect(rulesOf({ journals: { a: seen, b: seen }, given: ['one'] })).toEqual(['unwritten', 'unwritten']);
  });
});

describe('the planted faults of two signers', () => {
  it.each(Object.entries<SignersPlant>(SIGNERS_PLANTS))(
    '%s is in the sources, once at each place',
    (_, plant) => {
      expect(plant.found.length).toBeGreaterThan(0);
      for (const { path } of plant.changes) {
        const text = readFileSync(path, 'utf8');
        expect(planted(plant, path, text)).not.toBe(text);
      }
    },
  );
});

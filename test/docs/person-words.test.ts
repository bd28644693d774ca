import { describe, expect, it } from 'vitest';
import { en } from '../../src/compose/texts/en.ts';

/** Words that need a second reading by a person whose first language is another. */
const HARD = /\b(whoever|whatever|nobody|somebody|what is|is told|are told|been told|be told|stands)\b/i;

const hardOnes = (texts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(texts).flatMap(([key, text]) => {
    const word = HARD.exec(text)?.[0];
    return word === undefined ? [] : [`${key}: ${word}`];
  });

describe('the English messages', () => {
  it('name the person or the thing', () => {
    expect(Object.keys(en).length).toBeGreaterThan(1_000);
    expect(hardOnes(en)).toEqual([]);
  });

  it('with such a word are found', () => {
    expect(hardOnes({ a: 'Nobody can send it.', b: 'It cannot be sent.' })).toEqual(['a: Nobody']);
  });
});

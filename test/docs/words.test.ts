import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);

/** Words of our own that a Solana developer would have to ask about, with the word of docs/glossary.md. */
const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\brivals?(Route|Of)?\b|\b(create)?Rivals?(Deps|Trade|Rig)?\b/, 'aggregator quotes'],
  [
    /\b(take)?[fF]oreign(Swap|SwapError|SwapProblem|Route|Offer|Pool)\b/,
    "an aggregator's swap, route, quote",
  ],
  [/\bownOrWhyNot\b/, 'own route'],
];
/** Names of markets that want one ticker: another thing, of another owner. */
const LEFT = ['modules/market/store/market-store.ts'];

const without = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
const found = (text: string): readonly string[] =>
  BANNED.filter(([word]) => word.test(without(text))).map(([, instead]) => instead);

it('identifiers of src use the words of the glossary', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('platform/db/generated') && !LEFT.includes(path),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((path) =>
      found(readFileSync(new URL(path, SRC), 'utf8')).map((instead) => `${path}: say ${instead}`),
    ),
  ).toEqual([]);
});

it('a banned word in code is found, in a comment it is not', () => {
  expect(found('const rivals = 1;')).toHaveLength(1);
  expect(found('takeForeignSwap(x)')).toHaveLength(1);
  expect(found('// rivals')).toEqual([]);
});

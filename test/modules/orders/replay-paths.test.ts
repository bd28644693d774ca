import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPath } from '../../support/replay/read-path.ts';
import { replayPath } from '../../support/replay/replay-path.ts';

const PATHS = join(dirname(fileURLToPath(import.meta.url)), '../../support/replay/paths');

type Expected = { readonly fires: readonly { readonly slot: number; readonly order: string }[] };

describe('recorded price paths', () => {
  const names = readdirSync(PATHS).filter((name) => name.endsWith('.csv'));

  it('are shipped', () => expect(names.length).toBeGreaterThanOrEqual(11));

  it.each(names)('%s fires what follows from the rules, when they say, and nothing else', async (name) => {
    const expected = JSON.parse(readFileSync(join(PATHS, name.replace('.csv', '.json')), 'utf8')) as Expected;
    const { fires } = await replayPath(readPath(readFileSync(join(PATHS, name), 'utf8')));
    const told = (all: Expected['fires']) => all.map(({ slot, order }) => `${slot} ${order}`).toSorted();
    expect(told(fires)).toEqual(told(expected.fires));
  });
});

it.each([
  ['1,A,5', 'line 1: expected slot,pool,reserveA,reserveB, got "1,A,5"'],
  ['1,A,5,5\n2,A,-5,5', 'line 2: expected slot'],
  ['9,A,5,5\n8,A,5,5', 'line 2: slot 8 comes after slot 9'],
  ['1,A,0,5', 'line 1: one reserve is zero'],
  ['# nothing\n', 'expected at least two slots'],
  ['1,A,0,0\n2,A,5,5', 'the first with a pool'],
  ['1,,5,5', 'line 1: expected slot'],
])('refuses %j as a path', (text, why) => expect(() => readPath(text)).toThrow(why));

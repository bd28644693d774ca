import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../src');

/** What the network says of itself, by how it was once typed into code. */
const CONSTANTS: Readonly<Record<string, RegExp>> = {
  'the length of a slot': /\b(?:SLOT|BLOCK)_(?:MS|MILLIS|SECONDS)\b|\bMS_PER_(?:SLOT|BLOCK)\b/,
  'a rent': /\b(?:2_?039_?280|890_?880|1_?488_?440|1_?461_?600)n?\b/,
  'the life of a blockhash in time': /\bBLOCKHASH_LIFE_MS\b|\b(?:60|30)_000\b.*blockhash/i,
};

function named(text: string): readonly string[] {
  return Object.entries(CONSTANTS).flatMap(([what, how]) =>
    text.split('\n').some((line) => !/^\s*(?:\*|\/)/.test(line) && how.test(line)) ? [what] : [],
  );
}

it('no fact of the network is typed into code', () => {
  const found = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .filter((name) => named(readFileSync(join(ROOT, name), 'utf8')).length > 0);
  expect(found).toEqual([]);
});

it('finds each of them', () => {
  expect(named('const SLOT_MS = 400;\nconst LIFE = lamports(890_880n);')).toHaveLength(2);
  expect(named('const BLOCKHASH_LIFE_MS = 60_000;')).toEqual(['the life of a blockhash in time']);
  expect(named('  /** 890_880 lamports. */\n  const slots = 400;')).toEqual([]);
});

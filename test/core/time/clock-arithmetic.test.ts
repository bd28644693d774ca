import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clockDifferences } from '../../support/clock-arithmetic.ts';

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** `core/time` is where the arithmetic is: the two other helpers there hold to their own tests. */
const HOME = 'src/core/time/';

const STEADY =
  'its `now` is performance.now, which cannot be set: rpc-chain, witness and open-hot-accounts pass it';

/** Subtractions of a clock outside the named helpers, by file, each with the reason why it is harmless. */
const EXCEPTIONS: Readonly<Record<string, { readonly count: number; readonly because: string }>> = {
  'src/modules/operations/use/clock-watch.ts': {
    count: 3,
    because: 'the difference of two clocks is what it measures',
  },
  'src/platform/clock/compared-clock.ts': {
    count: 1,
    because: 'the difference of two clocks is what it measures',
  },
  'src/platform/chain/call-parts.ts': { count: 2, because: STEADY },
  'src/platform/chain/endpoint-pool.ts': { count: 3, because: STEADY },
  'src/platform/chain/hot/hot-accounts.ts': { count: 3, because: STEADY },
  'src/platform/chain/hot/slot-belief.ts': { count: 1, because: STEADY },
  'src/platform/chain/hot/wanted-sets.ts': { count: 2, because: STEADY },
  'src/platform/chain/transaction-source/call-budget.ts': { count: 1, because: STEADY },
  'src/platform/chain/network-facts.ts': { count: 2, because: STEADY },
  'src/platform/chain/key-limit.ts': { count: 1, because: STEADY },
  'src/platform/chain/nodes.ts': { count: 1, because: STEADY },
  'src/platform/chain/witness.ts': { count: 1, because: STEADY },
};

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('durations and the wall clock', () => {
  it('no line outside core/time subtracts a wall clock, but those with a reason', () => {
    const found = files
      .filter((file) => !file.startsWith(HOME))
      .flatMap((file) => clockDifferences(file, textOf(file)).map((one) => ({ file, ...one })));
    const raw = found
      .filter(({ file }) => EXCEPTIONS[file] === undefined)
      .map(({ file, line, text }) => `${file}:${line}: ${text}: use core/time/elapsed or core/time/age`);
    expect(files.length).toBeGreaterThan(500);
    expect(raw).toEqual([]);
    for (const [file, { count }] of Object.entries(EXCEPTIONS))
      expect([file, found.filter((one) => one.file === file).length]).toEqual([file, count]);
  });

  it('what is excepted for a steady clock is composed with one', () => {
    const makers = [
      'rpc-chain.ts',
      'hot/open-hot-accounts.ts',
      'witness.ts',
      'transaction-source/source-endpoints.ts',
    ];
    for (const maker of makers)
      expect(textOf(`src/platform/chain/${maker}`)).toMatch(/now\b[^\n]*=>? ?\(?\)?.*performance\.now\(\)/);
    for (const file of files.filter((one) => one.startsWith('src/platform/chain/')))
      expect([file, textOf(file).includes('Date.now()')]).toEqual([file, false]);
  });
});

describe('the reader of sources', () => {
  const textsOf = (source: string): readonly string[] =>
    clockDifferences('one.ts', source).map(({ text }) => text);

  it.each([
    [
      'a read and a stored moment',
      'const age = deps.clock.now() - quotedAt;',
      ['deps.clock.now() - quotedAt'],
    ],
    ['a name made of a read', 'const asked = clock.now(); const age = asked - row.at;', ['asked - row.at']],
    ['a parameter', 'const late = (now: number) => now - at > SPAN_MS;', ['now - at']],
    ['what is left', 'wait(until - clock.now());', ['until - clock.now()']],
    ['a read in place', 'rest -= Date.now();', ['rest -= Date.now()']],
    ['the least of the clocks', 'const age = clock.earliest() - at;', ['clock.earliest() - at']],
    ['two reads', 'const began = now(); run(); const took = now() - began;', ['now() - began']],
  ])('finds %s', (_, source, texts) => {
    expect(textsOf(source)).toEqual(texts);
  });

  it.each([
    ['a moment so long ago', 'find(clock.now() - WEEK_MS, now - days * DAY_MS, now - limits.windowMs);'],
    ['a clock that cannot be set', 'const took = performance.now() - started;'],
    ['a moment to come', 'const until = now + LIFE_MS;'],
  ])('leaves %s', (_, source) => {
    expect(textsOf(source)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { doubleReads } from '../support/clock-reads.ts';
import { filesOfRing } from '../support/rings.ts';

/** Runs that read the clock twice for a reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const SCREENS = [...filesOfRing('chat'), ...filesOfRing('api')].filter(({ path }) =>
  /^modules\/[\w-]+\/(chat|pages)(\.ts|\/)|^platform\/(http\/(site|look)|telegram)\//.test(path),
);

describe('the moment of a screen', () => {
  it('is read once: no screen tells two times of two readings', () => {
    const found = SCREENS.flatMap(({ path, text }) => doubleReads(path, text));
    expect(SCREENS.length).toBeGreaterThan(100);
    expect(found.filter((one) => !(one in EXCEPTIONS))).toEqual([]);
    expect(Object.keys(EXCEPTIONS).filter((one) => !found.includes(one))).toEqual([]);
  });
});

describe('the reader of screens', () => {
  it.each([
    ['two reads of one run', 'async function open() { show(view(clock.now(), clock.now())); }', 1],
    [
      'a read in a callback',
      'async function open() { const at = clock.now(); rows.map(() => clock.now()); }',
      1,
    ],
    [
      'a read in a helper of the file',
      'const fee = () => clock.now(); async function open() { show(fee(), clock.now()); }',
      1,
    ],
    ['a handler', 'const taps = { open: async () => show(clock.now(), deps.clock.now()) };', 1],
    ['a read by the earliest', 'async function open() { show(clock.now(), clock.earliest()); }', 1],
    ['one read', 'async function open() { const now = clock.now(); show(now, now); }', 0],
    [
      'handlers of one feature',
      'function f() { async function a() { clock.now(); } async function b() { clock.now(); } }',
      0,
    ],
  ])('sees %s', (_, source, count) => {
    expect(doubleReads('one.ts', source)).toHaveLength(count);
  });
});

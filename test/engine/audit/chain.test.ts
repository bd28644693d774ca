import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/compose/open-journal.ts';
import type { ActLink } from '../../../src/engine/audit/store/audit-log-port.ts';
import { CHAIN_START, checkChain, type SeenLink } from '../../../src/engine/audit/use.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 26);
/** Act n was written n minutes after this. */
const BEGAN = NOW - 10 * HOUR;
const MINUTE = 60_000;

type Row = { readonly id: bigint; readonly at: number; readonly what: string };
const row = (n: number, what = 'as it was'): Row => ({ id: BigInt(n), at: BEGAN + n * MINUTE, what });
const rows = (count: number): readonly Row[] => Array.from({ length: count }, (_, n) => row(n + 1));

/** The rows as one chain, each with its right hash, from `prev` on. */
function chained(given: readonly Row[], prev = CHAIN_START): readonly ActLink[] {
  let former = prev;
  return given.map(({ id, at, what }) => {
    const text = `${former} ${id} ${at} ${what}`;
    const link = { id, at, text, prev: former, hash: hashText(text) };
    former = link.hash;
    return link;
  });
}

const check = (links: readonly ActLink[], seen: readonly SeenLink[] = [], isOlder = false) =>
  checkChain(
    { links: async (after, limit) => links.filter(({ id }) => id > after).slice(0, limit) },
    hashText,
    { seen, isOlder, now: NOW },
  );
const said = async (links: readonly ActLink[], seen: readonly SeenLink[] = []) =>
  (await check(links, seen)).mismatches.map(({ subject, detail }) => `${subject} ${detail}`);

const honest = chained(rows(20));
const sight = (n: number, at: number | null = BEGAN + n * MINUTE): SeenLink => ({
  act: BigInt(n),
  hash: honest[n - 1]?.hash ?? '',
  at,
  where: 'the witness',
});
const WITNESSES = [sight(5), sight(10), sight(20)];
/** The row of one act changed, and every hash from there on made anew. */
const anew = (n: number): readonly ActLink[] =>
  chained(rows(20).map((one) => (one.id === BigInt(n) ? { ...one, what: 'another' } : one)));
const without = (...gone: readonly number[]): readonly ActLink[] =>
  honest.filter(({ id }) => !gone.includes(Number(id)));
const swapped = (): readonly ActLink[] => {
  const [a, b] = [honest[6], honest[7]];
  if (a === undefined || b === undefined) throw new Error('twenty acts');
  return honest.map((link) => (link === a ? { ...b, id: a.id } : link === b ? { ...a, id: b.id } : link));
};
const dated = (n: number, at: number): readonly ActLink[] =>
  chained(rows(20).map((one) => (one.id === BigInt(n) ? { ...one, at } : one)));
/** The sights of a log that really has these dates. */
const sightsOf = (links: readonly ActLink[]): readonly SeenLink[] =>
  WITNESSES.map((one) => ({ ...one, hash: links[Number(one.act) - 1]?.hash ?? '' }));

describe('an audit log', () => {
  it('that is as it was has no mismatch, with witnesses and without', async () => {
    expect(await said(honest)).toEqual([]);
    expect(await said(honest, WITNESSES)).toEqual([]);
    expect(await check(honest, WITNESSES)).toMatchObject({
      acts: 20,
      compared: 3,
      last: { act: 20n, hash: honest[19]?.hash },
    });
  });

  it.each<[string, readonly ActLink[], readonly SeenLink[], RegExp]>([
    [
      'a changed act',
      honest.map((link) => (link.id === 7n ? { ...link, text: 'other' } : link)),
      [],
      /^act 7 was changed/,
    ],
    ['a removed act', without(7), [], /^act 8 follows act 6: the acts between are gone/],
    ['removed first acts', without(1, 2, 3), [], /^act 4 follows act 0: the acts between are gone/],
    [
      'an act that was slipped in',
      honest.flatMap((link) =>
        link.id < 7n
          ? [link]
          : link.id === 7n
            ? [{ ...link, text: 'new', hash: hashText('new') }, link]
            : [link],
      ),
      [],
      /^act 7 follows act 7/,
    ],
    ['two swapped acts', swapped(), [], /^act 7 does not continue the chain/],
    [
      'an act made anew with its hash',
      honest.map((link) => (link.id === 7n ? { ...link, text: 'new', hash: hashText('new') } : link)),
      [],
      /^act 8 does not continue the chain/,
    ],
    [
      'a cut end',
      honest.slice(0, 15),
      WITNESSES,
      /^act 20 the witness saw it at .*ends at act 15: its end was cut/,
    ],
    ['an emptied log', [], WITNESSES, /^act 5 the witness saw it.*ends at act 0/],
    ['a chain made anew', anew(7), WITNESSES, /^act 10 the witness saw another one .*made anew/],
    [
      'a chain made anew after its end was cut',
      chained([
        ...rows(15),
        ...rows(20)
          .slice(15)
          .map((one) => ({ ...one, what: 'another' })),
      ]),
      WITNESSES,
      /^act 20 the witness saw another one/,
    ],
    [
      'a log older than a line that an operator kept',
      honest.slice(0, 19),
      [sight(20, null)],
      /^act 20 the witness saw it, and the log ends at act 19/,
    ],
    [
      'an act of the future',
      dated(20, NOW + 2 * HOUR),
      [],
      /^act 20 is dated .*, later than the moment in which it was seen/,
    ],
    [
      'an act dated after the witness saw it',
      dated(7, BEGAN + 2 * HOUR),
      sightsOf(dated(7, BEGAN + 2 * HOUR)),
      /^act 7 is dated .*, later than/,
    ],
    [
      'a date that runs back',
      dated(12, BEGAN - 2 * HOUR),
      sightsOf(dated(12, BEGAN - 2 * HOUR)),
      /^act 12 is dated .*, before an act that was seen before it/,
    ],
  ])('with %s is named', async (_, links, seen, problem) => {
    expect((await said(links, seen))[0]).toMatch(problem);
  });

  it('of an older copy lacks what was seen later, and is compared where it goes', async () => {
    expect((await check(honest.slice(0, 15), WITNESSES, true)).mismatches).toEqual([]);
    expect((await check(anew(7).slice(0, 15), WITNESSES, true)).mismatches).toHaveLength(1);
  });

  it('is read in pages without a seam', async () => {
    const long = chained(rows(2_001).map((one) => ({ ...one, at: BEGAN })));
    expect(await check(long)).toMatchObject({ acts: 2_001, mismatches: [] });
    expect(await said(long.filter(({ id }) => id !== 1_001n))).toHaveLength(2);
  });
});

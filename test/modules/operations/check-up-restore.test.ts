import { describe, expect, it } from 'vitest';
import { judgeDrill, judgeJournal, judgeKeybook } from '../../../src/modules/operations/rules/check-up.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

describe('a drill', () => {
  it.each([
    ['never made', [null, null, null], 'warn', /ever tried/],
    ['good today', [1, 1, 1], 'ok', /less than a day/],
    ['good and 30 days old', [30 * DAY, 30 * DAY, 30 * DAY], 'ok', /30 days/],
    ['good and 31 days old', [31 * DAY, 31 * DAY, 31 * DAY], 'warn', /31 days/],
    ['failed after a good one', [1, 2, 2], 'bad', /failed/],
    ['failed and never good', [0, null, null], 'bad', /failed/],
    ['good, and never with the keybook', [1, 1, null], 'warn', /without keybook check/],
    ['good, and with the keybook a month ago', [1, 1, 30 * DAY], 'ok', /less than a day/],
    ['good, and with the keybook longer ago', [1, 1, 31 * DAY], 'warn', /without keybook check/],
  ] as const)('%s', (_, ages, state, fact) => {
    const [at, goodAt, wholeAt] = ages.map((age) => (age === null ? null : NOW - age));
    const judged = judgeDrill({ at: at ?? null, goodAt: goodAt ?? null, wholeAt: wholeAt ?? null }, NOW);
    expect(judged.state).toBe(state);
    expect(judged.fact).toMatch(fact);
    expect(judged.mend === '').toBe(state === 'ok');
  });
});

describe('a journal', () => {
  const heads = [
    { journalId: 'a', seq: 7, hash: 'seventh' },
    { journalId: 'b', seq: 2, hash: 'second' },
  ];
  it.each([
    ['is not asked for before the first signature', null, [], 'ok'],
    ['is elsewhere beside a signer', null, heads, 'ok'],
    [
      'goes as far as its head',
      { journalId: 'a', last: { seq: 7, at: NOW }, hashAtHead: 'seventh' },
      heads,
      'ok',
    ],
    [
      'goes further',
      { journalId: 'b', last: { seq: 9, at: NOW - 120_000 }, hashAtHead: 'second' },
      heads,
      'ok',
    ],
    [
      'forked, with lines enough',
      { journalId: 'a', last: { seq: 9, at: NOW }, hashAtHead: 'of the fork' },
      heads,
      'bad',
    ],
    [
      'lacks the line of its head',
      { journalId: 'a', last: { seq: 9, at: NOW }, hashAtHead: null },
      heads,
      'bad',
    ],
    ['lost its last line', { journalId: 'a', last: { seq: 6, at: NOW }, hashAtHead: null }, heads, 'bad'],
    ['is empty', { journalId: 'a', last: null, hashAtHead: null }, heads, 'bad'],
    [
      'is of another installation',
      { journalId: 'c', last: { seq: 9, at: NOW }, hashAtHead: null },
      heads,
      'bad',
    ],
  ] as const)('%s', (_, journal, known, state) => {
    expect(judgeJournal(journal, known, NOW).state).toBe(state);
  });
});

describe('a keybook', () => {
  it('covers every wallet of the database, or says how many it lacks', () => {
    expect(judgeKeybook(null).state).toBe('ok');
    expect(judgeKeybook({ kept: 3, missing: 0 })).toMatchObject({ state: 'ok', mend: '' });
    expect(judgeKeybook({ kept: 3, missing: 1 })).toMatchObject({ state: 'warn' });
  });
});

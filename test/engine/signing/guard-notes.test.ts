import { describe, expect, it } from 'vitest';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import {
  type GuardNote,
  isNewestGuard,
  type TransactionState,
} from '../../../src/engine/signing/rules/guard-notes.ts';
import { decodeRecord, encodeEntry } from '../../../src/engine/signing/rules/record.ts';
import { createGuardVersions } from '../../../src/engine/signing/use/guard-versions.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const OPEN: GuardNote = { userId: 'ann', version: 100, next: 200, transactionId: '7' };
const SETTLED: GuardNote = { userId: 'ann', version: 200, next: 0, transactionId: '' };
const STATES: readonly TransactionState[] = ['committed', 'aborted', 'in progress', null];

const judged = (note: GuardNote | null, version: number, state: TransactionState) =>
  isNewestGuard(note, version, async () => state);

describe('the newest guard of a person', () => {
  it.each(STATES)(
    'is the next one, or a later one, whatever became of its transaction: %s',
    async (state) => {
      expect(await judged(OPEN, 200, state)).toBe(true);
      expect(await judged(OPEN, 201, state)).toBe(true);
      expect(await judged(SETTLED, 200, state)).toBe(true);
    },
  );

  it.each(STATES)('is the one before while the next is not committed: %s', async (state) => {
    expect(await judged(OPEN, 100, state)).toBe(state === 'aborted' || state === 'in progress');
  });

  it.each(STATES)('is none that is older, between two, or missing: %s', async (state) => {
    for (const version of [0, 99, 101, 199]) expect(await judged(OPEN, version, state)).toBe(false);
    for (const version of [0, 100, 199]) expect(await judged(SETTLED, version, state)).toBe(false);
  });

  it('is any where the journal knows none, also none at all', async () => {
    for (const version of [0, 1, 200]) expect(await judged(null, version, null)).toBe(true);
  });
});

describe('the versions of guards in the journal', () => {
  function place(
    states: Readonly<Record<string, TransactionState>> = {},
    rows: Readonly<Record<string, number>> = {},
  ) {
    const book = createJournalBook();
    const clock = fakeClock();
    const said: object[] = [];
    let seq = 0;
    const versions = createGuardVersions({
      book,
      books: {
        transactionState: async (id) => states[id] ?? null,
        guardVersions: async (ids) => new Map(ids.map((id) => [id, rows[id] ?? 0])),
      },
      clock,
      log: { error: (facts) => void said.push(facts) },
      write: async (entry) => {
        seq += 1;
        // As it is read again from its line.
        const line = { v: 1, seq, epoch: 0, at: clock.now(), prev: '', ...encodeEntry(entry) };
        book.apply(decodeRecord(JSON.parse(JSON.stringify(line)), ''));
      },
    });
    return { book, clock, said, versions };
  }

  it('grow, also where the clock was set back', async () => {
    const { clock, versions } = place();
    const first = await versions.next({ userId: 'ann', version: 0 }, '1');
    expect(first).toBe(clock.now());
    expect(await versions.next({ userId: 'ann', version: first }, '2')).toBe(first + 1);
    expect(await versions.next({ userId: 'bob', version: first + 60_000 }, '3')).toBe(first + 60_001);
  });

  it('are settled by a beat: committed, rolled back, and put back, which is said once', async () => {
    const rows: Record<string, number> = {};
    const { book, said, versions } = place(
      { '1': 'committed', '2': 'aborted', '3': 'committed', '4': 'in progress' },
      rows,
    );
    for (const [userId, id] of [
      ['done', '1'],
      ['undone', '2'],
      ['back', '3'],
      ['busy', '4'],
    ] as const)
      await versions.next({ userId, version: 5 }, id);
    rows['done'] = book.guards.find('done')?.next ?? 0;
    for (const userId of ['undone', 'back', 'busy']) rows[userId] = 5;
    await versions.beat();
    await versions.beat();
    expect(book.guards.find('done')).toMatchObject({ version: rows['done'], next: 0 });
    expect(book.guards.find('undone')).toMatchObject({ version: 5, next: 0 });
    expect(book.guards.find('back')).toMatchObject({ next: 0 });
    expect(await versions.isNewest({ userId: 'back', version: 5 })).toBe(false);
    expect(book.guards.open().map(({ userId }) => userId)).toEqual(['busy']);
    expect(said).toEqual([{ userId: 'back' }]);
  });

  it('believe a row that was read just before its change was committed, once', async () => {
    const rows: Record<string, number> = {};
    const { book, versions } = place({ '1': 'committed' }, rows);
    const next = await versions.next({ userId: 'ann', version: 5 }, '1');
    rows['ann'] = 5;
    expect(await versions.isNewest({ userId: 'ann', version: 5 })).toBe(false);
    rows['ann'] = next;
    expect(await versions.isNewest({ userId: 'ann', version: 5 })).toBe(true);
    expect(book.guards.find('ann')).toMatchObject({ version: next, next: 0 });
    expect(await versions.isNewest({ userId: 'ann', version: 5 })).toBe(false);
  });

  it('are learnt from a right certificate that the journal does not know', async () => {
    const { versions } = place();
    expect(await versions.isNewest({ userId: 'ann', version: 900 })).toBe(true);
    expect(await versions.isNewest({ userId: 'ann', version: 800 })).toBe(false);
  });

  it('are written again before the start of the journal is forgotten, a part at a time', async () => {
    const { book, clock, versions } = place();
    for (const userId of ['a', 'b', 'c']) await versions.isNewest({ userId, version: 7 });
    clock.advance(1_000);
    await versions.isNewest({ userId: 'd', version: 7 });
    expect(book.guards.due(clock.now(), 2).map((line) => 'userId' in line && line.userId)).toEqual([
      'a',
      'b',
    ]);
    expect(book.guards.due(clock.now(), 9)).toHaveLength(3);
    expect(book.guards.due(clock.now() - 1_000, 9)).toEqual([]);
  });
});

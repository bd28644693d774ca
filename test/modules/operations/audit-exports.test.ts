import { describe, expect, it } from 'vitest';
import type { WritableEntry } from '../../../src/engine/signing/rules/line.ts';
import type { KeyExport } from '../../../src/modules/guard/rules/key-export.ts';
import { auditExports } from '../../../src/modules/operations/use/audit-exports.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeJournal } from '../../support/fakes/journal.ts';

const DAY = 86_400_000;
const clock = fakeClock();
const ASKED = clock.now() - DAY;
const asked: Omit<KeyExport, 'id' | 'end'> = {
  userId: 'u',
  walletId: 'w',
  askedAt: ASKED,
  readyAt: ASKED + DAY,
  endsAt: ASKED + 2 * DAY,
};
const row = (id: string, end: KeyExport['end'] = null): KeyExport => ({ id, ...asked, end });
const noted = (exportId: string): WritableEntry => ({ kind: 'export-asked', exportId, ...asked });
const TAKEN = { kind: 'TAKEN', at: ASKED + DAY } as const;

async function named(rows: readonly KeyExport[], lines: readonly WritableEntry[]) {
  const journal = fakeJournal();
  for (const line of lines) await journal.append(line);
  const exports = {
    find: async (id: string) => rows.find((one) => one.id === id) ?? null,
    listOpen: async () => rows.filter(({ end }) => end === null),
  };
  const records = (since: number) => journal.records(since);
  const { mismatches, files } = await auditExports({ exports, clock }, { since: 0, records });
  return { files, named: mismatches.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`) };
}

describe('the audit of key files', () => {
  it('names none where rows and journal agree', async () => {
    const over = [
      { kind: 'export-taken', exportId: 'taken', overAt: ASKED + DAY },
      { kind: 'export-stopped', exportId: 'gone', overAt: ASKED, by: 'signer' },
      { kind: 'export-stopped', exportId: 'frozen', overAt: ASKED, by: 'freeze' },
    ] as const;
    const lines = [...['open', 'taken', 'gone', 'frozen'].map(noted), ...over];
    const frozen = row('frozen', { kind: 'STOPPED', at: ASKED, by: 'freeze' });
    expect(await named([row('open'), row('taken', TAKEN), frozen], lines)).toEqual({ files: 4, named: [] });
  });

  it.each([
    ['a row that was slipped in', [row('x')], [], 'never asked'],
    [
      'a taken one that is open again',
      [row('x')],
      [noted('x'), { kind: 'export-taken', exportId: 'x', overAt: ASKED + DAY }],
      'taken, stopped',
    ],
    [
      'a stopped one that is open again',
      [row('x')],
      [noted('x'), { kind: 'export-stopped', exportId: 'x', overAt: ASKED, by: 'person' }],
      'taken, stopped',
    ],
    ['one that is gone', [], [noted('x')], 'row is gone'],
    ['one of another wallet', [{ ...row('x'), walletId: 'other' }], [noted('x')], 'another person, wallet'],
    ['one of an earlier moment', [{ ...row('x'), askedAt: ASKED - 1 }], [noted('x')], 'moment'],
    ['one that never left', [row('x', TAKEN)], [noted('x')], 'says that the file left'],
  ] as readonly (readonly [string, readonly KeyExport[], readonly WritableEntry[], string])[])(
    'names %s',
    async (_what, rows, lines, words) => {
      const { named: found } = await named(rows, lines);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^forged-export x: .*${words}`));
    },
  );
});

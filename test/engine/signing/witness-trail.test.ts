import { beforeEach, describe, expect, it } from 'vitest';
import { hashText } from '../../../src/compose/open-journal.ts';
import { ownAct } from '../../../src/engine/audit/rules.ts';
import type { ActLink } from '../../../src/engine/audit/store/audit-log-port.ts';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { createTrailWitness } from '../../../src/engine/signing/use/witness-trail.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { type FakeJournal, fakeDisk, fakeJournal } from '../../support/fakes/journal.ts';
import { fakeQuarantines } from '../../support/fakes/signing.ts';

describe('the signer’s sight of the audit log', () => {
  let db: ReturnType<typeof fakeDatabase>;
  let journal: FakeJournal;
  let beat: () => Promise<void>;
  /** Changes the log as it is read. */
  let forge: (links: readonly ActLink[]) => readonly ActLink[];
  let reads: number;
  let quarantines: ReturnType<typeof fakeQuarantines>;
  let now: number;

  const open = (): void => {
    const book = createJournalBook();
    for (const record of journal.all()) book.apply(record);
    ({ beat } = createTrailWitness({
      log: {
        links: async (after, limit) => {
          reads += 1;
          const all = forge(await db.auditLog.links(0n, 1_000));
          return all.filter(({ id }) => id > after).slice(0, limit);
        },
      },
      book,
      quarantines,
      write: async (entry) => book.apply(await journal.append(entry)),
      sha256: hashText,
      now: () => now,
    }));
  };
  beforeEach(() => {
    db = fakeDatabase();
    now = 5_000;
    journal = fakeJournal(fakeDisk(), () => now);
    quarantines = fakeQuarantines();
    forge = (links) => links;
    reads = 0;
    open();
  });

  const act = (count = 1) =>
    Promise.all(Array.from({ length: count }, () => db.auditLog.record(ownAct('u', 1_000, 'frozen', {}))));
  const written = () =>
    journal.all().flatMap(({ entry }) => (entry.kind === 'trail' ? [[entry.act, entry.hash]] : []));
  const last = async () => (await db.auditLog.links(0n, 1_000)).at(-1);

  it('writes the newest act down once, and nothing where none came', async () => {
    await beat();
    expect(written()).toEqual([]);
    await act(3);
    await beat();
    await beat();
    expect(written()).toEqual([[3n, (await last())?.hash]]);
    await act();
    open();
    await beat();
    expect(written()).toEqual([
      [3n, expect.any(String)],
      [4n, (await last())?.hash],
    ]);
  });

  it.each<[string, (links: readonly ActLink[]) => readonly ActLink[], RegExp]>([
    ['its end was cut', (links) => links.slice(0, 2), /act 3 is gone: the end of the audit log was cut/],
    [
      'it was made anew',
      (links) => links.map((link) => ({ ...link, hash: hashText(link.hash) })),
      /act 3 is another one: the audit log was made anew/,
    ],
    ['a later act is missing', (links) => links.filter(({ id }) => id !== 4n), /act 5 follows act 3/],
    [
      'a later act was changed',
      (links) => links.map((link) => (link.id === 5n ? { ...link, text: 'other' } : link)),
      /act 5 was changed/,
    ],
  ])('goes no further and says so where %s', async (_, forged, problem) => {
    await act(3);
    await beat();
    await act(3);
    forge = forged;
    await expect(beat()).rejects.toThrow(problem);
    await expect(beat()).rejects.toThrow(problem);
    expect(written()).toHaveLength(1);
    forge = (links) => links;
    await beat();
    expect(written().at(-1)?.[0]).toBe(6n);
  });

  it('waits in a quarantine, and reads the whole log of the restored database after it', async () => {
    await act(3);
    await beat();
    forge = (links) => links.slice(0, 2);
    await quarantines.enter({ id: 'q', reason: 'a restore', dataAsOf: 0, enteredAt: 6_000 });
    now = 7_000;
    await beat();
    expect(written()).toHaveLength(1);
    await quarantines.lift('q', 7_000, {});
    now = 8_000;
    await beat();
    expect(written().map(([id]) => id)).toEqual([3n, 2n]);
    // A quarantine of long ago explains nothing that is cut later.
    forge = (links) => links.slice(0, 1);
    await expect(beat()).rejects.toThrow(/act 2 is gone/);
  });

  it('waits behind a fence, and reads the whole log of the database that comes after it', async () => {
    await act(3);
    await beat();
    await journal.append({ kind: 'fence', fenceId: 'f', reason: 'older', dataAsOf: 0 });
    open();
    const before = reads;
    await beat();
    expect(reads).toBe(before);
    await journal.append({ kind: 'unfence', fenceId: 'f', accepted: [] });
    open();
    forge = (links) => links.slice(0, 2);
    await beat();
    expect(written().at(-1)?.[0]).toBe(2n);
  });
});

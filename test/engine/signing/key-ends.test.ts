import { describe, expect, it } from 'vitest';
import type { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { createKeyEnds } from '../../../src/engine/signing/use/key-ends.ts';
import { readJournal } from '../../../src/engine/signing/use/read-journal.ts';
import { KEY_LIMITS, type PersonalKey } from '../../../src/modules/personal-keys/rules/personal-key.ts';
import { endKey } from '../../../src/modules/personal-keys/use/manage-keys.ts';
import { personalKeyRow } from '../../conformance/personal-key-store.ts';
import { NOW, storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeDisk, fakeJournal } from '../../support/fakes/journal.ts';
import { booksOver, testSigning } from '../../support/fakes/signing.ts';
import { PASSED } from '../../support/passed.ts';

const AWAY = Object.assign(new Error('away'), { code: 'SIGNER_UNAVAILABLE' });

/** A desk with one personal key. `signer` begins the signer on its disk, as after a start. */
async function desk() {
  const db = fakeDatabase();
  const { user, wallet } = await storedPerson(db);
  const key: PersonalKey = personalKeyRow(
    { userId: user.id, walletId: wallet.id },
    { until: NOW + KEY_LIMITS.longestMs },
  );
  await db.personalKeys.insert(PASSED, key);
  const time = { now: NOW };
  const clock = { now: () => time.now } as Parameters<typeof testSigning>[0]['clock'];
  const disk = fakeDisk();
  const signer = async () => {
    const journal = fakeJournal(disk, () => clock.now());
    const book = await readJournal({ journal, books: booksOver(db), clock, adopts: true });
    const { signing } = testSigning({ db, clock }, { journal, book });
    const ends = createKeyEnds({ db, book, clock, endKey: (end) => signing.endKey(end) });
    return { book, ends };
  };
  const endWhileAway = () =>
    endKey(
      {
        db,
        clock,
        vault: { endPersonalKey: () => Promise.reject(AWAY), certifyPersonalKey: () => Promise.reject(AWAY) },
      },
      { userId: user.id, keyId: key.id },
    );
  return { db, key, time, disk, signer, endWhileAway };
}

describe('the end of a personal key while the signer is away', () => {
  it('is written down when the signer is back, and no row that is put back opens the key', async () => {
    const { db, key, time, disk, signer, endWhileAway } = await desk();
    await expect(endWhileAway()).rejects.toThrow('away');
    expect((await db.personalKeys.find(key.id))?.endedAt).toBe(NOW);
    // The signer comes back a day later.
    time.now += 86_400_000;
    const { book, ends } = await signer();
    expect(book.keyed.isEnded(key.id)).toBe(false);
    await ends.beat();
    expect(book.keyed.isEnded(key.id)).toBe(true);
    const lines = disk.lines.length;
    await ends.beat();
    expect(disk.lines.length).toBe(lines);

    const again = await signer();
    expect(again.book.keyed.isEnded(key.id)).toBe(true);
    await again.ends.beat();
    expect(disk.lines.filter((line) => line.includes('"key-ended"'))).toHaveLength(1);
  });

  it('is seen in a beat of a signer that runs, also where the row was committed late', async () => {
    const { key, time, signer, endWhileAway } = await desk();
    const { book, ends } = await signer();
    time.now += 60_000;
    await ends.beat();
    // The row bears a moment before that beat.
    time.now -= 50_000;
    await endWhileAway().catch(() => undefined);
    time.now += 55_000;
    await ends.beat();
    expect(book.keyed.isEnded(key.id)).toBe(true);
  });

  it('is not taken from a database that went back', async () => {
    const { key, signer, endWhileAway, db, time } = await desk();
    await endWhileAway().catch(() => undefined);
    const { book } = await signer();
    const written: string[] = [];
    const ends = createKeyEnds({
      db,
      book: { fence: () => ({}) as ReturnType<ReturnType<typeof createJournalBook>['fence']> },
      clock: { now: () => time.now },
      endKey: async ({ keyId }) => void written.push(keyId),
    });
    await ends.beat();
    expect(written).toEqual([]);
    expect(book.keyed.isEnded(key.id)).toBe(false);
  });
});

import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openSignerJournal, readSignerBook } from '../../src/compose/open-journal.ts';
import { createJournalBook, REMEMBERED_MS } from '../../src/engine/signing/rules/book.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { readJournal } from '../../src/engine/signing/use/read-journal.ts';
import { createQuarantineStore } from '../../src/engine/transactions/store/quarantine-store.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { runSignatureAudit } from './audit.ts';
import type { Io } from './command.ts';
import { openRing } from './journal-here.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';

/** Prints the last line of the journal, its open records, and whether a fence is up. 1 when one is, or the database has seen later lines. */
export async function journalStatus(io: Io): Promise<number> {
  const { print } = io;
  const folder = io.config().journalDir;
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const journal = await readSignerBook({ folder, book: 'journal', ...(await openRing(io, db)) });
    const book = createJournalBook();
    let last = { seq: 0, at: 0 };
    for await (const record of journal.records(Date.now() - REMEMBERED_MS)) {
      book.apply(record);
      last = record;
    }
    const heads = await createSigningBooks(db.query).heads();
    const seen = heads.find(({ journalId }) => journalId === journal.journalId)?.seq ?? 0;
    print(`journal ${journal.journalId} in ${folder}: ${journal.segments.length} segments`);
    print(`last line ${last.seq}, of ${new Date(last.at).toISOString()}; the database has seen line ${seen}`);
    print(`${book.open().length} signatures are not known to be stored or over`);
    const fence = book.fence();
    if (fence !== null) print(`FENCED since ${new Date(fence.at).toISOString()}: ${fence.reason}`);
    if (seen > last.seq) print('BEHIND: this is an older copy');
    return fence === null && seen <= last.seq ? 0 : 1;
  } finally {
    await close();
  }
}

/** Reads every line of journal and keybook and proves it. Throws JOURNAL_BROKEN at the first that is not as it was written. */
export async function journalVerify(io: Io): Promise<number> {
  const folder = io.config().journalDir;
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const ring = await openRing(io, db);
    for (const book of ['journal', 'keybook'] as const) {
      const { records, segments } = await readSignerBook({ folder, book, ...ring });
      let lines = 0;
      for await (const record of records(0)) lines += record.seq > 0 ? 1 : 0;
      io.print(`${book}: ${lines} lines in ${segments.length} segments, each as it was written`);
    }
    return 0;
  } finally {
    await close();
  }
}

/**
 * Begins a journal for a database that something was signed by, after every wallet's signatures were compared with it. A journal that lies
 * there is put aside, unless a signer runs on it. Throws JOURNAL_TAKEN then. 1 when the chain knows a signature that the database does not: then the database is put into quarantine.
 */
export async function journalAdopt(io: Io): Promise<number> {
  const { print } = io;
  const config = io.config();
  const folder = config.journalDir;
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const clock = systemClock();
    const quarantines = createQuarantineStore(db.query);
    const ring = await openRing(io, db);
    const { unbooked, mismatches } = await runSignatureAudit(io, db, { whole: true });
    for (const { rule, subject, detail } of mismatches) print(`MISMATCH ${rule} ${subject}: ${detail}`);
    const [first] = unbooked;
    if (first !== undefined) {
      const { signature, intentId } = first;
      await quarantines.enter({
        id: randomIds(() => clock.now()).ulid(),
        reason: `the chain shows ${signature} of intent ${intentId ?? 'unknown'}, which this database does not know`,
        dataAsOf: Math.min(...unbooked.map(({ at }) => at ?? 0)),
        enteredAt: clock.now(),
      });
      print(`NOT ADOPTED: the database does not know ${signature}, of intent ${intentId ?? 'unknown'}.`);
      print('It is in quarantine. Run "npm run ops -- reconcile", and then this again.');
      return 1;
    }
    const books = createSigningBooks(db.query);
    const database = await books.identity();
    const onTrouble = print;
    const files = await openSignerJournal({
      folder,
      ...ring,
      database,
      mayBegin: true,
      now: () => clock.now(),
      onTrouble,
      // A signer that runs keeps its journal: it holds the folder, and this throws before.
      whenAlone: () => putAside(folder, clock.now(), print),
    });
    try {
      await readJournal({ journal: files.journal, books, clock, adopts: true });
    } finally {
      await files.close();
    }
    await recordAct(db, 'operator-command', { command: 'journal adopt', words: [files.journal.id] });
    print(`The database knows journal ${files.journal.id} in ${folder} from now on.`);
    return 0;
  } finally {
    await close();
  }
}

/** The segments of a former journal; the keybook stays. */
async function putAside(folder: string, now: number, print: (line: string) => void): Promise<void> {
  const names = existsSync(folder)
    ? (await readdir(folder)).filter((name) => name.startsWith('journal-'))
    : [];
  if (names.length === 0) return;
  const aside = join(folder, `aside-${now}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of names) await rename(join(folder, name), join(aside, name));
  print(`the former journal lies in ${aside} now`);
}

import { installIdOf, readSignerBook } from '../../src/compose/open-journal.ts';
import { loadConfirmationSecret } from '../../src/compose/open-key-holder.ts';
import { kekOptions, openKeyring } from '../../src/compose/open-keyring.ts';
import { isAppError } from '../../src/core/errors/app-error.ts';
import { createJournalBook, REMEMBERED_MS } from '../../src/engine/signing/rules/book.ts';
import type { JournalRecord } from '../../src/engine/signing/rules/record.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { namedFrom, namedSince } from '../../src/modules/operations/use/named-signatures.ts';
import type { Named } from '../../src/modules/operations/use/reconcile.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Certifier } from '../../src/platform/ports/certificates.ts';
import type { Quarantine } from '../../src/platform/ports/operations.ts';
import { createCertifier } from '../../src/platform/vault/certifier.ts';
import { createConfirmationSeals } from '../../src/platform/vault/confirmation-seals.ts';
import type { Io } from './command.ts';

/** The keys and the name of the installation, as its signer has them. */
export async function openRing(io: Io, db: PrismaDatabase) {
  const [current, ...older] = kekOptions(io.config());
  const keyring = await openKeyring(current, older);
  const secret = await loadConfirmationSecret({ keyring, store: db.sealedSecrets });
  return {
    keyring,
    installId: installIdOf(createConfirmationSeals(secret)),
    certifier: createCertifier(secret),
  };
}

/** What certificates are compared with, where the master key is here; null, and the reason on the side, where it is not. */
export async function certifierHere(io: Io, db: PrismaDatabase): Promise<Certifier | null> {
  try {
    return (await openRing(io, db)).certifier;
  } catch (error) {
    if (!isAppError(error)) throw error;
    io.note(`certificates are not compared: ${error.code}`);
    return null;
  }
}

export type JournalHere = {
  readonly begunAt: number;
  readonly records: (since: number) => AsyncIterable<JournalRecord>;
};

/** The journal of this database, where JOURNAL_DIR has it and its key is here; null, and the reason on the side, where not. */
export async function journalHere(io: Io, db: PrismaDatabase): Promise<JournalHere | null> {
  const folder = io.config().journalDir;
  try {
    const { journalId, records } = await readSignerBook({
      folder,
      book: 'journal',
      ...(await openRing(io, db)),
    });
    const heads = await createSigningBooks(db.query).heads();
    if (!heads.some((head) => head.journalId === journalId)) {
      io.note(`the journal in ${folder} is not read: this database has seen no line of it`);
      return null;
    }
    for await (const { at } of records(0)) return { begunAt: at, records };
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    io.note(`the journal in ${folder} is not read: ${error.code}`);
    return null;
  }
}

/**
 * The names in the journal since the quarantined database's moment, so that no wallet need be walked. Null unless the fence is up in it:
 * only then has its signer seen this very loss, and its lines are the newest. Null also when it does not go back that far.
 */
export async function namedHere(
  io: Io,
  db: PrismaDatabase,
  { dataAsOf }: Pick<Quarantine, 'dataAsOf'>,
): Promise<readonly Named[] | null> {
  const journal = await journalHere(io, db);
  if (journal === null || journal.begunAt > namedFrom(dataAsOf)) return null;
  const book = createJournalBook();
  for await (const record of journal.records(Date.now() - REMEMBERED_MS)) book.apply(record);
  if (book.fence() === null) return null;
  return namedSince(journal.records(namedFrom(dataAsOf)), dataAsOf);
}

/** The newest versions of guards by the journal, by person; none without one. */
export async function guardVersions(
  journal: Pick<JournalHere, 'records'> | null,
): Promise<ReadonlyMap<string, number>> {
  const book = createJournalBook();
  if (journal !== null)
    for await (const record of journal.records(Date.now() - REMEMBERED_MS)) book.apply(record);
  return new Map(book.guards.all().map(({ userId, version }) => [userId, version]));
}

/** When the journal began, and what it paid from periods of conversion, by their openings; null without one. */
export async function paidByJournal(
  journal: JournalHere | null,
): Promise<{ readonly begunAt: number; readonly paid: (opensAt: number) => bigint } | null> {
  if (journal === null) return null;
  const book = createJournalBook();
  for await (const record of journal.records(Date.now() - REMEMBERED_MS)) book.apply(record);
  const begunAt = book.conversions.since() ?? journal.begunAt;
  return { begunAt, paid: (opensAt) => book.conversions.paid(opensAt, book.isVoid) };
}

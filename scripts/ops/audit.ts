import { readFile } from 'node:fs/promises';
import { hashText } from '../../src/compose/open-journal.ts';
import { createAuditStore } from '../../src/engine/audit/store/audit-store.ts';
import { checkChain, type SeenLink } from '../../src/engine/audit/use.ts';
import { REMEMBERED_MS } from '../../src/engine/signing/rules/book.ts';
import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { createSignatureBooks } from '../../src/engine/signing/store/signature-books.ts';
import { createUseRows } from '../../src/engine/signing/store/use-rows.ts';
import { createQuarantineStore } from '../../src/engine/transactions/store/quarantine-store.ts';
import { audit } from '../../src/modules/operations/use/audit.ts';
import { auditCertificates } from '../../src/modules/operations/use/audit-certificates.ts';
import { auditExports, type ExportAudit } from '../../src/modules/operations/use/audit-exports.ts';
import { auditJournal, type JournalAudit } from '../../src/modules/operations/use/audit-journal.ts';
import { auditSignatures, type SignatureAudit } from '../../src/modules/operations/use/audit-signatures.ts';
import { auditUses, type UseAudit } from '../../src/modules/operations/use/audit-uses.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Io } from './command.ts';
import { certifierHere, guardVersions, type JournalHere, journalHere } from './journal-here.ts';
import { openChain, openDatabase, openWalkedChain } from './open.ts';
import { UsageError } from './ops-error.ts';

/**
 * Recomputes the books and compares them with the chain. Compares the signatures of every wallet with the attempts, and people, wallets
 * and open orders with their certificates. Checks the audit log's own chain. Prints each mismatch. 1 when there is one.
 */
export async function runAudit(
  io: Io,
  options: {
    readonly booksOnly: boolean;
    readonly whole: boolean;
    readonly head: readonly string[];
    readonly witness: string | undefined;
    /** An older copy of the database: acts that were seen later are no mismatch. */
    readonly isOlder: boolean;
  },
): Promise<number> {
  const { print } = io;
  const named = [
    ...options.head.map((text) => readHead(text, '--head')),
    ...(options.witness === undefined ? [] : await readWitness(options.witness)),
  ];
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const treasury = await db.wallets.treasury();
    const asked = options.booksOnly || treasury === null ? null : openChain(io.config());
    const result = await audit({
      books: createAuditStore(db.query),
      chain:
        asked === null || treasury === null
          ? null
          : { landed: (signature) => asked.chain.landed(signature), treasury: treasury.address },
    });
    const signed = asked === null ? null : await runSignatureAudit(io, db, options);
    const here = asked === null ? null : await journalHere(io, db);
    const journal = here === null ? null : await runJournalAudit(io, db, here);
    const files = here === null ? null : await runExportAudit(db, here);
    const uses = here === null ? null : await runUseAudit(db, here);
    const certifier = asked === null ? null : await certifierHere(io, db);
    const certificates =
      certifier === null
        ? null
        : await auditCertificates({
            rows: createCertificateRows(db.query),
            certifier,
            knownGuards: await guardVersions(here),
          });
    const trail = await checkChain(db.auditLog, hashText, {
      seen: [...named, ...(here === null ? [] : await trailOf(io, db, here))],
      isOlder: options.isOlder,
      now: systemClock().now(),
    });
    const mismatches = [
      ...result.mismatches,
      ...(signed?.mismatches ?? []),
      ...(journal?.mismatches ?? []),
      ...(files?.mismatches ?? []),
      ...(uses?.mismatches ?? []),
      ...(certificates?.mismatches ?? []),
      ...trail.mismatches,
    ];
    for (const { rule, subject, detail } of mismatches) print(`${rule.padEnd(17)} ${subject}: ${detail}`);
    const chain =
      signed === null ? 'the chain was not asked' : `${result.compared} bookings compared with the chain`;
    print(
      `${mismatches.length} mismatches in ${result.intents} intents, ${result.transfers} transfers and ${result.accounts} accounts; ${chain}`,
    );
    if (signed !== null) print(lineOf(signed));
    if (journal !== null)
      print(`journal: ${journal.signed} signatures compared with ${journal.attempts} attempts`);
    if (files !== null) print(`key files: ${files.files} compared with the journal`);
    if (uses !== null)
      print(`sums of people's days: ${uses.signed} signed intents compared with ${uses.rows} rows`);
    if (certificates !== null)
      print(`certificates: ${certificates.rows} people, wallets and open orders compared`);
    if (treasury !== null) print(`treasury ${treasury.address}`);
    print(
      `audit log: ${trail.acts} acts, compared with ${trail.compared} that others saw, head ${trail.last.act}:${trail.last.hash}`,
    );
    return mismatches.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

/** The signatures of every wallet that changed, or of all, against the attempts; says on the side how far it is. */
export async function runSignatureAudit(
  io: Io,
  db: Pick<PrismaDatabase, 'query'>,
  options: { readonly whole: boolean },
): Promise<SignatureAudit> {
  const { chain, history } = openWalkedChain(io.config());
  return auditSignatures(
    {
      signatures: createSignatureBooks(db.query),
      chain,
      history,
      clock: systemClock(),
      onProgress: io.note,
    },
    options,
  );
}

/**
 * The links of the audit log that the signer wrote down. Those from before the last restore are of a log that had acts which the dump has
 * not: they are counted on the side, so that a restore that never was is noticed.
 */
async function trailOf(io: Io, db: PrismaDatabase, journal: JournalHere): Promise<readonly SeenLink[]> {
  const restored = (await createQuarantineStore(db.query).lastLifted()) ?? 0;
  let seen: SeenLink[] = [];
  let before = 0;
  for await (const { at, entry } of journal.records(0)) {
    if (entry.kind === 'unfence') seen = [];
    if (entry.kind !== 'trail') continue;
    if (at <= restored) before += 1;
    else seen.push({ act: entry.act, hash: entry.hash, at, where: 'the signer’s journal' });
  }
  if (before > 0)
    io.print(
      `audit log: restored and reconciled at ${new Date(restored).toISOString()}; ${before} sights of the signer from before are not compared`,
    );
  return seen;
}

/** `N:HASH`, as the last line of an earlier audit says it. */
function readHead(text: string, where: string): SeenLink {
  const found = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text);
  if (found === null)
    throw new UsageError(`${where}: expected a number, a colon and 64 hexadecimal digits, got "${text}"`);
  return { act: BigInt(found[1] ?? ''), hash: found[2] ?? '', at: null, where };
}

/** Each `N:HASH` in a file that lines of earlier audits were added to. */
async function readWitness(path: string): Promise<readonly SeenLink[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--witness: cannot read ${path}: ${String(error)}`);
  });
  const found = [...text.matchAll(/\b\d{1,18}:[0-9a-f]{64}\b/g)].map(([head]) => readHead(head, path));
  if (found.length === 0) throw new UsageError(`--witness: ${path} has no line with a head like 32:1f0a…`);
  return found;
}

/** The signer's journal of the last 31 days against the attempts. */
async function runJournalAudit(io: Io, db: PrismaDatabase, journal: JournalHere): Promise<JournalAudit> {
  const clock = systemClock();
  const { chain } = openWalkedChain(io.config());
  return auditJournal(
    { signatures: createSignatureBooks(db.query), chain, clock },
    { ...journal, since: clock.now() - REMEMBERED_MS },
  );
}

/** The rows of key files against the signer's journal of the last 31 days. */
function runExportAudit(db: PrismaDatabase, journal: JournalHere): Promise<ExportAudit> {
  const clock = systemClock();
  return auditExports({ exports: db.exports, clock }, { ...journal, since: clock.now() - REMEMBERED_MS });
}

/** The rows of people's days against the signer's journal. */
function runUseAudit(db: PrismaDatabase, journal: JournalHere): Promise<UseAudit> {
  return auditUses({ rows: createUseRows(db.query), clock: systemClock() }, journal);
}

/** One line for a person. */
export function lineOf(signed: SignatureAudit): string {
  const owners = signed.byOwners === 0 ? '' : `, ${signed.byOwners} of them by owners who hold the key, too`;
  return `signatures: ${signed.wallets} wallets looked at, ${signed.walked} walked, ${signed.listed} transactions compared${owners}`;
}

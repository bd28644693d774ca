import { createHash } from 'node:crypto';
import { createAuditStore } from '../../src/engine/audit/store/audit-store.ts';
import { checkChain } from '../../src/engine/audit/use.ts';
import { REMEMBERED_MS } from '../../src/engine/signing/rules/book.ts';
import { createSignatureBooks } from '../../src/engine/signing/store/signature-books.ts';
import { audit } from '../../src/modules/operations/use/audit.ts';
import { auditJournal, type JournalAudit } from '../../src/modules/operations/use/audit-journal.ts';
import { auditSignatures, type SignatureAudit } from '../../src/modules/operations/use/audit-signatures.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { Io } from './command.ts';
import { journalHere } from './journal-here.ts';
import { openChain, openDatabase, openWalkedChain } from './open.ts';

/**
 * Recomputes the books and compares them with the chain, compares the signatures of every wallet with the attempts, and checks
 * the audit log's own chain; prints each mismatch. 1 when there is one.
 */
export async function runAudit(
  io: Io,
  options: { readonly booksOnly: boolean; readonly whole: boolean },
): Promise<number> {
  const { print } = io;
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
    const journal = asked === null ? null : await runJournalAudit(io, db);
    const trail = await checkChain(db.auditLog, (text) =>
      createHash('sha256').update(text, 'utf8').digest('hex'),
    );
    const mismatches = [
      ...result.mismatches,
      ...(signed?.mismatches ?? []),
      ...(journal?.mismatches ?? []),
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
    if (treasury !== null) print(`treasury ${treasury.address}`);
    print(`audit log: ${trail.acts} acts, head ${trail.head}`);
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

/** The signer's journal of the last 31 days against the attempts; null where it is not here. */
async function runJournalAudit(io: Io, db: PrismaDatabase): Promise<JournalAudit | null> {
  const journal = await journalHere(io, db);
  if (journal === null) return null;
  const clock = systemClock();
  const { chain } = openWalkedChain(io.config());
  return auditJournal(
    { signatures: createSignatureBooks(db.query), chain, clock },
    { ...journal, since: clock.now() - REMEMBERED_MS },
  );
}

/** One line for a person. */
export function lineOf(signed: SignatureAudit): string {
  const owners = signed.byOwners === 0 ? '' : `, ${signed.byOwners} of them by owners who hold the key, too`;
  return `signatures: ${signed.wallets} wallets looked at, ${signed.walked} walked, ${signed.listed} transactions compared${owners}`;
}

import { createCopyBooks } from '../../src/modules/copying/store/copy-audit.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';

/** `copies verify`: copies, their decisions and intents against each other; prints each mismatch. 1 when there is one. */
export async function runVerifyCopies(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const books = createCopyBooks(db.query);
    const [mismatches, { copies, trades }] = await Promise.all([books.mismatches(), books.counts()]);
    for (const { rule, subject, detail } of mismatches) io.print(`${rule.padEnd(16)} ${subject}: ${detail}`);
    io.print(`${mismatches.length} mismatches in ${copies} copies and ${trades} copied trades`);
    return mismatches.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

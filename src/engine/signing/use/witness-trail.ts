import type { QuarantineStore } from '../../../platform/ports/operations.ts';
import type { AuditLog } from '../../audit/store/audit-log-port.ts';
import { CHAIN_START, checkChain } from '../../audit/use.ts';
import type { JournalBook, SeenTrail } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';

/**
 * Sees the audit log grow: each beat reads the acts behind the last one that it wrote down, proves that they continue the chain, and
 * writes the newest into the journal. A writer of the database cannot change that line, so a log that is cut or made anew later differs
 * from it. After a fence or a restore that was reconciled the whole log is read again, for the database is another one. `beat` throws, and
 * writes nothing, while the log does not continue: `ops audit` names the acts.
 */
export function createTrailWitness(deps: {
  readonly log: Pick<AuditLog, 'links'>;
  readonly book: Pick<JournalBook, 'trail' | 'fence'>;
  readonly quarantines: Pick<QuarantineStore, 'current' | 'lastLifted'>;
  readonly write: (entry: WritableEntry) => Promise<void>;
  /** SHA-256 of a text, in hexadecimal digits. */
  readonly sha256: (text: string) => string;
  readonly now: () => number;
}): { readonly beat: () => Promise<void> } {
  const { log, book, quarantines, sha256 } = deps;
  return {
    beat: async () => {
      if (book.fence() !== null || (await quarantines.current()) !== null) return;
      const from = (await seenSince(book, quarantines)) ?? { act: 0n, hash: CHAIN_START };
      await assertThere(log, from);
      const { last, mismatches } = await checkChain(log, sha256, { from, now: deps.now() });
      const [first] = mismatches;
      if (first !== undefined) throw new Error(`${first.subject} ${first.detail}`);
      if (last.act > from.act) await deps.write({ kind: 'trail', ...last });
    },
  };
}

/** The last link that was written down, unless the database was restored since. */
async function seenSince(
  book: Pick<JournalBook, 'trail'>,
  quarantines: Pick<QuarantineStore, 'lastLifted'>,
): Promise<SeenTrail | null> {
  const seen = book.trail();
  const restored = await quarantines.lastLifted();
  return seen === null || (restored !== null && restored >= seen.at) ? null : seen;
}

/** Throws unless the log still has this link. */
async function assertThere(
  log: Pick<AuditLog, 'links'>,
  { act, hash }: { readonly act: bigint; readonly hash: string },
): Promise<void> {
  if (act === 0n) return;
  const [link] = await log.links(act - 1n, 1);
  if (link?.id !== act) throw new Error(`act ${act} is gone: the end of the audit log was cut`);
  if (link.hash !== hash) throw new Error(`act ${act} is another one: the audit log was made anew`);
}

import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { QuarantineStore } from '../../../platform/ports/operations.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { ownWork } from '../../audit/rules.ts';
import type { JournalBook, SignedNote } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { SigningBooks } from '../store/signing-books-port.ts';
import type { LookAtChain } from './look-at-chain.ts';

export type FenceDeps = {
  readonly db: Pick<Database, 'auditLog'>;
  readonly book: JournalBook;
  readonly books: Pick<SigningBooks, 'known' | 'reportsSince'>;
  readonly quarantines: Pick<QuarantineStore, 'current' | 'enter' | 'newestWrite'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'ulid'>;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly write: (entry: WritableEntry) => Promise<void>;
};

export type Fence = {
  /** Puts the fence up, once for all callers. */
  raise(why: string, note: SignedNote): Promise<void>;
  /**
   * While the fence is up: keeps the quarantine open. Takes the fence down when an operator has ended the quarantine, and every signature
   * since the database's moment is known, dead, or named in the report.
   */
  tend(look: LookAtChain): Promise<void>;
};

/** Clocks differ, and a commit may be younger than its signature: a signature this long before counts as after. */
const MARGIN_MS = 15 * 60_000;

/**
 * The fence of the signer. Its line in the journal outlives the database's next loss; the quarantine stops the workers and shows the
 * operator the next steps.
 */
export function createFence(deps: FenceDeps): Fence {
  let raising: Promise<void> | null = null;
  return {
    raise: async (why, note) => {
      if (deps.book.fence() !== null) return;
      raising ??= raiseNow(deps, why, note).finally(() => {
        raising = null;
      });
      await raising;
    },
    tend: async (look) => {
      const fence = deps.book.fence();
      if (fence === null || (await deps.quarantines.current()) !== null) return;
      const reports = await deps.books.reportsSince(fence.at);
      if (reports.length === 0) return enter(deps);
      const { left, accepted } = await unaccounted(deps, { ...fence, accepted: textsIn(reports) }, look);
      if (left.length > 0) {
        deps.log.error({ signatures: left }, 'signed, and in no book and no report');
        return enter(deps);
      }
      await deps.write({ kind: 'unfence', fenceId: fence.fenceId, accepted });
      const act = ownWork(deps.clock.now(), 'signing-unfenced', { accepted: accepted.length });
      await deps.db.auditLog.record(act);
      deps.log.warn({ accepted: accepted.length }, 'the books were compared with the chain: signing goes on');
    },
  };
}

async function raiseNow(deps: FenceDeps, why: string, note: SignedNote): Promise<void> {
  const { db, quarantines, clock, log } = deps;
  const { intentId, signature, at } = note;
  log.error(
    { intentId, signature, why },
    'nothing is signed from here on: the database is older than the journal',
  );
  const dataAsOf = Math.min(at, await quarantines.newestWrite());
  const reason = `${why}: ${signature} of intent ${intentId}`;
  await deps.write({ kind: 'fence', fenceId: deps.ids.ulid(), reason, dataAsOf });
  await enter(deps);
  await db.auditLog.record(ownWork(clock.now(), 'signing-fenced', { reason: why, intentId, signature }));
}

/** Opens the quarantine unless one is: the earlier one may be lifted, or lost with the database's rows. */
async function enter({ book, quarantines, clock, ids }: FenceDeps): Promise<void> {
  const fence = book.fence();
  if (fence === null || (await quarantines.current()) !== null) return;
  const { reason, dataAsOf } = fence;
  await quarantines.enter({ id: ids.ulid(), reason, dataAsOf, enteredAt: clock.now() });
}

/** Signatures since the database's moment without any account, and those that a report alone accounts for. */
async function unaccounted(
  { book, books, write }: FenceDeps,
  since: { readonly dataAsOf: number; readonly accepted: ReadonlySet<string> },
  look: LookAtChain,
): Promise<{ readonly left: readonly string[]; readonly accepted: readonly string[] }> {
  const signed = book.signedSince(since.dataAsOf - MARGIN_MS);
  const { signatures } = await books.known({
    intentIds: [...new Set(signed.map(({ intentId }) => intentId))],
  });
  const unknown = signed.filter(({ signature, end }) => !signatures.has(signature) && end !== 'dead');
  const left: string[] = [];
  for (const note of unknown.filter(({ signature }) => !since.accepted.has(signature))) {
    const { word, looks } = await look(note);
    if (word === 'dead') await write({ kind: 'ended', signature: note.signature, how: 'dead', looks });
    else left.push(note.signature);
  }
  const names = unknown.map(({ signature }) => signature);
  return { left, accepted: names.filter((signature) => since.accepted.has(signature)) };
}

/** Every text anywhere in the reports: a report accounts for each signature that it names. */
function textsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) textsIn(part, found);
  return found;
}

import { createHash } from 'node:crypto';
import { createJournalBook } from '../../../src/engine/signing/rules/book.ts';
import { createSigningBooks } from '../../../src/engine/signing/store/signing-books.ts';
import type { ServerTruth, SigningBooks } from '../../../src/engine/signing/store/signing-books-port.ts';
import { createPinTries } from '../../../src/engine/signing/use/pin-tries.ts';
import {
  createSigningJournal,
  type SigningJournalDeps,
} from '../../../src/engine/signing/use/signing-journal.ts';
import type { Query } from '../../../src/platform/db/connection.ts';
import type { ChainWitness } from '../../../src/platform/ports/chain-witness.ts';
import type { Clock } from '../../../src/platform/ports/clock.ts';
import type { QuarantineStore } from '../../../src/platform/ports/operations.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeIds } from './ids.ts';
import { type FakeJournal, fakeJournal } from './journal.ts';

const LASTING: ServerTruth = { inRecovery: false, fsync: true, synchronousCommit: 'on' };

const isPostgres = (db: object): db is { readonly query: Query } => 'query' in db;

/** The books over any database's own stores; heads in memory. */
export function booksOver(
  db: Pick<Database, 'intents'>,
  server: () => ServerTruth = () => LASTING,
): SigningBooks {
  const heads = new Map<string, Awaited<ReturnType<SigningBooks['heads']>>[number]>();
  return {
    known: async ({ intentIds }) => {
      const wholes = await Promise.all(intentIds.map((id) => db.intents.whole(id)));
      const found = wholes.filter((whole) => whole !== null);
      return {
        intents: new Set(found.map(({ intent }) => intent.id)),
        signatures: new Set(found.flatMap(({ attempts }) => attempts.map(({ signature }) => signature))),
        server: server(),
      };
    },
    heads: async () => [...heads.values()],
    saveHead: async (head) => {
      if ((heads.get(head.journalId)?.seq ?? 0) < head.seq) heads.set(head.journalId, head);
    },
    reportsSince: async () => [],
    hasAttempts: async () => false,
    ordersSince: async () => [],
    transactionState: async () => null,
    guardVersions: async () => new Map(),
    identity: async () => ({ systemIdentifier: '7', timeline: 1 }),
  };
}

/** A chain that has seen nothing and is far behind everything that was ever signed: every signature that is asked for is dead. */
export function emptyWitness(): ChainWitness {
  return {
    newest: async () => ({ height: 1n, slot: 1n }),
    takers: async () => [],
    probe: async (_signature, round) => ({
      endpoint: `node-${round % 2}`,
      endpoints: 2,
      finalizedHeight: 2n ** 60n,
      finalizedSlot: 1n,
      status: null,
      statusSlot: 2n,
      firstAvailableBlock: 0n,
      goneAt: null,
    }),
  };
}

/** Quarantines in memory: at most one is open. */
export function fakeQuarantines(): Pick<
  QuarantineStore,
  'current' | 'enter' | 'newestWrite' | 'lift' | 'lastLifted'
> & {
  readonly reports: { readonly at: number; readonly report: unknown }[];
} {
  let open: Awaited<ReturnType<QuarantineStore['current']>> = null;
  const reports: { readonly at: number; readonly report: unknown }[] = [];
  return {
    reports,
    current: async () => open,
    lastLifted: async () => reports.at(-1)?.at ?? null,
    enter: async (quarantine) => {
      if (open !== null) return false;
      open = quarantine;
      return true;
    },
    lift: async (_id, at, report) => {
      open = null;
      reports.push({ at, report });
    },
    newestWrite: async () => 0,
  };
}

/** A journal that begins now, with a line that says so, as the first line of a file does. */
function begunJournal(clock: Clock): FakeJournal {
  const journal = fakeJournal(undefined, () => clock.now());
  void journal.append({ kind: 'counted-since', since: clock.now() });
  return journal;
}

/** The parts of a signer's rule, in memory; `given` comes last. */
export function testSigning(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  given: Partial<SigningJournalDeps> = {},
) {
  const journal = given.journal ?? begunJournal(clock);
  const deps: SigningJournalDeps = {
    db,
    journal,
    book: createJournalBook(),
    // Postgres answers by the product's own statements, which read no more of a row than they need.
    books: isPostgres(db) ? createSigningBooks(db.query) : booksOver(db),
    quarantines: fakeQuarantines(),
    witness: emptyWitness(),
    clock,
    ids: fakeIds(),
    hash: (bytes) => createHash('sha256').update(bytes).digest('base64url'),
    log: { error: () => undefined, warn: () => undefined },
    // Ids of tests say nothing about time.
    oldestMs: Number.POSITIVE_INFINITY,
    ...given,
  };
  return {
    signing: createSigningJournal(deps),
    tries: createPinTries({ clock, write: (entry) => journal.append(entry) }),
    deps,
  };
}

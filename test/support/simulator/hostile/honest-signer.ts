import { FENCE_RULES, type FenceRules } from '../../../../src/engine/signing/rules/fence.ts';
import type { SignerDeps } from '../../../../src/engine/signing/use/deps.ts';
import { readJournal } from '../../../../src/engine/signing/use/read-journal.ts';
import type { GuardRules } from '../../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES } from '../../../../src/modules/guard/rules/guard-rules.ts';
import { createCertificateCheck } from '../../../../src/platform/certificate-check.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { keyring } from '../../../../src/platform/vault/kek.ts';
import { localKek } from '../../../../src/platform/vault/local-kek.ts';
import { committedRows } from '../../fakes/database.ts';
import { fakeDisk, fakeJournal } from '../../fakes/journal.ts';
import { fakePins } from '../../fakes/pins.ts';
import { booksOver, testSigning } from '../../fakes/signing.ts';
import { TEST_CERTIFIER, testSigner } from '../../signer.ts';
import type { Cluster } from '../cluster.ts';
import type { Timeline } from '../timeline.ts';
import { wireOf } from '../wire.ts';
import { type CertificateColumns, certifiedDatabase } from './certified-database.ts';

const SOL = 1_000_000_000n;
const HOUR_MS = 3_600_000;

/** The key-encryption key of every hostile run. */
export const HOSTILE_RING = keyring(localKek(new Uint8Array(32).fill(7)));
export const HOSTILE_PINS = fakePins();

/** As in production, with a wait for addresses and caps that a run reaches. */
export const HOSTILE_RULES: GuardRules = {
  ...LOCAL_RULES,
  delayMs: 2 * HOUR_MS,
  dailyCapLamports: 4n * SOL,
  allSpendingLamports: 1_000n * SOL,
};

/** Parts of the signer that a test takes away, to see that a run notices. */
export type SignerFault = {
  readonly deps?: (deps: Pick<SignerDeps, 'signing'>) => Partial<SignerDeps>;
  /** Rules of the journal; absent: all of them. */
  readonly rules?: Partial<FenceRules>;
  /** The signer believes rows without their certificates. */
  readonly believesRows?: true;
};

/** The real signer of a hostile run: its rules, its policy, its journal and real keys, over the rows that others change. */
export async function createHonestSigner(
  run: {
    readonly raw: Database;
    readonly certificates: CertificateColumns;
    readonly timeline: Timeline;
    readonly cluster: Cluster;
    readonly trace: (line: string) => void;
  },
  fault: SignerFault = {},
) {
  const { raw, timeline, cluster } = run;
  const { clock } = timeline;
  const rows = committedRows(raw);
  const check = createCertificateCheck(({ table, row }) => run.trace(`forged ${table}/${row}`));
  check.begin(TEST_CERTIFIER.publicKey);
  const db = fault.believesRows === true ? raw : certifiedDatabase(raw, check, run.certificates);
  const journal = fakeJournal(fakeDisk(), timeline.now);
  await journal.append({ kind: 'counted-since', since: timeline.now() });
  const books: ReturnType<typeof booksOver> = {
    ...booksOver(raw),
    guardVersions: async (userIds) =>
      new Map(userIds.map((userId) => [userId, rows.guards.get(userId)?.version ?? 0])),
  };
  const book = await readJournal({ journal, books, clock, adopts: true });
  let isFenced = false;
  const quarantines = {
    current: async () => (isFenced ? { id: 'q', reason: '', dataAsOf: 0, enteredAt: 0 } : null),
    enter: async () => {
      isFenced = true;
      run.trace('fenced');
      await raw.flags.set('quarantined', true, timeline.now());
      return true;
    },
    newestWrite: async () => timeline.now(),
  };
  const { signing, tries } = testSigning(
    { db, clock },
    {
      journal,
      book,
      books,
      quarantines: quarantines as never,
      rules: { ...FENCE_RULES, ...fault.rules },
      blockhashOf: (message) => wireOf(message).blockhash,
      witness: {
        newest: async () => ({ height: cluster.height(), slot: cluster.height() }),
        ...cluster.blockhashes,
        probe: async (signature, round, blockhash = null) => ({
          // Before the search of history.
          goneAt: blockhash === null ? null : await cluster.blockhashes.goneAt(blockhash, round),
          ...(await cluster.chain.probe(signature, round)),
        }),
      },
    },
  );
  const parts = { signing, tries, pins: HOSTILE_PINS, guardRules: HOSTILE_RULES };
  const vault = testSigner(
    { db, clock },
    { ...parts, ...fault.deps?.(parts), ring: HOSTILE_RING, chain: cluster.chain },
  );
  check.beginGuards(vault, signing.guards);
  const beat = (): void => {
    signing.beat().catch(() => undefined);
    timeline.after(1_000, beat);
  };
  timeline.after(1_000, beat);
  return { vault, isFenced: () => isFenced };
}

import { createHash } from 'node:crypto';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import { FENCE_RULES, type FenceRules } from '../../../src/engine/signing/rules/fence.ts';
import { denySignature } from '../../../src/engine/signing/use/deny-signature.ts';
import { readJournal } from '../../../src/engine/signing/use/read-journal.ts';
import type { SigningJournal } from '../../../src/engine/signing/use/signing-journal.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import type { CommitHistory } from '../fakes/commit-history.ts';
import { fakeDisk, fakeJournal } from '../fakes/journal.ts';
import { booksOver, testSigning } from '../fakes/signing.ts';
import type { Cluster } from './cluster.ts';
import type { Timeline } from './timeline.ts';
import { wireOf } from './wire.ts';

/** What befalls the database and the signer's journal in one run. */
export type Failovers = {
  /** Virtual milliseconds from the start to each promotion, and how many commits it loses. */
  readonly promotions: readonly { readonly atMs: number; readonly commits: number }[];
  /** What the journal's disk loses at the first promotion: its three newest lines, or all. Absent: nothing. */
  readonly loses?: 'some-lines' | 'all-lines';
  /** Absent: all of them. */
  readonly rules?: Partial<FenceRules>;
};

/** The signer of a run with its journal, which outlives the database's commits. Its memory outlives a promotion. */
export function createSimSigner(
  world: {
    readonly db: Database;
    readonly history: CommitHistory;
    readonly timeline: Timeline;
    readonly cluster: Cluster;
  },
  failovers: Failovers,
  trace: (line: string) => void,
) {
  const { db, history, timeline, cluster } = world;
  let disk = fakeDisk();
  const books = booksOver(db);
  let isFenced = false;
  let wentBack = 0;
  const quarantines = {
    current: async () =>
      (await db.flags.isSet('quarantined')) ? { id: 'q', reason: '', dataAsOf: 0, enteredAt: 0 } : null,
    enter: async () => {
      isFenced = true;
      trace('fenced');
      await db.flags.set('quarantined', true, timeline.now());
      return true;
    },
    newestWrite: async () => timeline.now(),
  };
  const open = async (adopts: boolean): Promise<SigningJournal> => {
    const journal = fakeJournal(disk, timeline.now);
    const book = await readJournal({ journal, books, clock: timeline.clock, adopts });
    return testSigning(
      { db, clock: timeline.clock },
      {
        journal,
        book,
        books,
        quarantines: quarantines as never,
        witness: {
          newest: async () => ({ height: cluster.height(), slot: cluster.height() }),
          ...cluster.blockhashes,
          probe: async (signature, round, blockhash = null) => ({
            // Before the search of history.
            goneAt: blockhash === null ? null : await cluster.blockhashes.goneAt(blockhash, round),
            ...(await cluster.chain.probe(signature, round)),
          }),
        },
        blockhashOf: (message) => wireOf(message).blockhash,
        rules: { ...FENCE_RULES, ...failovers.rules },
      },
    ).signing;
  };
  let signing: SigningJournal | null = null;
  const beat = (): void => {
    signing?.beat().catch(() => undefined);
    timeline.after(1_000, beat);
  };
  const start = async (): Promise<void> => {
    signing = await open(true);
    timeline.after(1_000, beat);
    for (const [index, { atMs, commits }] of failovers.promotions.entries())
      timeline.after(atMs, () => {
        const lost = history.goBack(commits);
        wentBack += lost;
        trace(`promoted without ${lost} commits`);
        if (index === 0 && failovers.loses !== undefined) loseLines(failovers.loses);
      });
  };
  /** The signer's host comes back with an older disk. */
  const loseLines = (which: 'some-lines' | 'all-lines'): void => {
    disk = { ...disk, lines: which === 'all-lines' ? [] : disk.lines.slice(0, -3), owner: null };
    if (which === 'all-lines') disk = fakeDisk('another-journal');
    signing = null;
    trace(`the journal has ${disk.lines.length} lines left`);
    open(which === 'all-lines').then(
      (opened) => {
        signing = opened;
      },
      (error: unknown) =>
        trace(`the signer does not start: ${isAppError(error) ? error.code : String(error)}`),
    );
  };
  const sign: Vault['sign'] = async ({ intentId, message, attempt = null }) => {
    const asked = signing;
    if (asked === null) throw new Error('the signer is not there');
    const whole = await db.intents.whole(intentId);
    await asked.assertSound();
    if (whole === null || !isOpen(whole.intent.status)) return denySignature('not-open');
    return asked.sign({
      intent: whole.intent,
      stored: new Set(whole.attempts.map(({ signature }) => signature)),
      message,
      attempt,
      sign: async () => createHash('sha512').update(message).digest(),
    });
  };
  return { start, sign, isFenced: () => isFenced || signing === null, wentBack: () => wentBack };
}

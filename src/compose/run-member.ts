import type { Socket } from 'node:net';
import { AppError, hasCode } from '../core/errors/app-error.ts';
import type { LeaseRow, SignerLeases } from '../engine/signing/store/signer-lease-port.ts';
import { leasedSigning } from '../engine/signing/use/guard-signing.ts';
import { type HeldLease, holdLease, LEASE_MS } from '../engine/signing/use/hold-lease.ts';
import { prepareFolder } from '../platform/journal/file-journal.ts';
import { lockFolder } from '../platform/journal/lock.ts';
import type { OpenLogFile } from '../platform/journal/log-file.ts';
import { type PullRules, pullFrom } from '../platform/journal/mirror/catch-up.ts';
import { filesIn } from '../platform/journal/mirror/folder-files.ts';
import type { MirrorRefusal } from '../platform/journal/mirror/messages.ts';
import { createMirrorLine, MirrorRefused } from '../platform/journal/mirror/mirror-line.ts';
import { mirroredFiles } from '../platform/journal/mirror/mirrored-files.ts';
import { createMirrors, type PeerPlace } from '../platform/journal/mirror/mirrors.ts';
import { createMirrorServer } from '../platform/journal/mirror/serve-mirror.ts';
import type { Logger } from '../platform/ports/logger.ts';
import type { Vault } from '../platform/ports/vault.ts';
import type { VaultHolder } from '../platform/signer/serve-connection.ts';

/** Between two looks of a standby at the lease. */
const LOOK_MS = 500;
/** After a take-over that failed, and between two signers that are about to take it at once. */
const REST_MS = 2_000;
/** A standby whose holder went silent longer ago takes nothing by itself: the holder may have gone on alone since. */
const MOST_SILENT_MS = 15_000;

/** For the operator: docs/two-signers.md. */
const LOST =
  'this folder lacks lines, and the copy that has more of them was named behind: put the folder back, or say "ops signers give"';

export type SignerMember = {
  /** The vault while this signer holds the lease. */
  readonly vault: VaultHolder;
  /** Of a connection with the role `signer`. */
  readonly accept: (socket: Socket, name: string) => void;
  /** When this signer signs for the first time, or another one does. Rejects with JOURNAL_TAKEN for a folder of another process. */
  readonly settled: Promise<'holder' | 'standby'>;
  readonly stop: () => Promise<void>;
};

export type MemberOptions = {
  /** Of this signer, by its certificate. */
  readonly name: string;
  readonly folder: string;
  /** The other signers, then the witnesses. */
  readonly peers: readonly PeerPlace[];
  readonly leases: SignerLeases;
  /** Whether the database knows a journal: a folder without one takes nothing then. */
  readonly knowsJournal: () => Promise<boolean>;
  /** Throws JOURNAL_BROKEN for a folder whose lines were not all written by a signer of this installation. */
  readonly prove: PullRules['prove'];
  /** Opens the vault over the folder with its files. Its errors leave the lease to the one before. */
  readonly open: (
    openFile: OpenLogFile,
  ) => Promise<{ readonly vault: Vault; readonly stop: () => Promise<void> }>;
  readonly steadyMs: () => number;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
};

/**
 * One of several signers with one journal. It signs while it holds the lease, and each line is on the disk of every level standby before a
 * signature leaves. Otherwise it keeps the holder's lines, and takes the lease when that is over. One that lacks lines takes nothing by itself.
 */
export function runMember(options: MemberOptions): SignerMember {
  const member = createStates(options);
  const { stopping, stop } = createStop();
  const running = (async () => {
    while (!stopping.isStopped) {
      const taken = await standBy(options, member, stopping);
      if (taken !== null) await hold(options, member, taken, stopping);
    }
  })().catch(member.fail);
  return {
    vault: () => (member.current?.held.isHeld() === true ? member.current.vault : null),
    accept: member.mirror.accept,
    settled: member.settled,
    stop: async () => {
      stop();
      await running;
      await member.mirror.rest();
    },
  };
}

type Stopping = { isStopped: boolean; readonly word: Promise<void> };

function createStop(): { readonly stopping: Stopping; readonly stop: () => void } {
  let say: () => void = () => undefined;
  const stopping: Stopping = {
    isStopped: false,
    word: new Promise((resolve) => {
      say = resolve;
    }),
  };
  return {
    stopping,
    stop: () => {
      stopping.isStopped = true;
      say();
    },
  };
}

type Member = ReturnType<typeof createStates>;

type States = {
  state: 'standby' | Extract<MirrorRefusal, 'taking' | 'holder'>;
  current: { readonly vault: Vault; readonly held: HeldLease } | null;
};

function createStates(options: MemberOptions) {
  let settle: (as: 'holder' | 'standby') => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const settled = new Promise<'holder' | 'standby'>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  const states: States = { state: 'standby', current: null };
  const mirror = createMirrorServer({
    ...options,
    refusal: () => (states.state === 'standby' ? null : states.state),
  });
  return Object.assign(states, { mirror, settle, fail, settled });
}

/** `at`: by the steady clock, before the lease was asked for. `before`: the lease as another one held it. */
type Taken = { readonly epoch: bigint; readonly at: number; readonly before: LeaseRow | null };

/** Keeps the holder's lines until the lease is this signer's; null when it stops before. */
async function standBy(options: MemberOptions, member: Member, stopping: Stopping): Promise<Taken | null> {
  const { name, leases, folder, log, pause, steadyMs } = options;
  await prepareFolder(folder);
  const lock = await lockFolder(folder);
  try {
    while (!stopping.isStopped) {
      const before = await leases.read();
      if (before !== null && before.holder !== name) member.settle('standby');
      if (!(await mayTake(options, before, member.mirror.silentMs()))) {
        await pause(LOOK_MS);
        continue;
      }
      member.state = 'taking';
      await member.mirror.rest();
      if (await catchUp(options, before)) {
        const at = steadyMs();
        const epoch = await leases.take(name, LEASE_MS);
        if (epoch !== null) return { epoch, at, before };
      }
      member.state = 'standby';
      await pause(REST_MS * (0.5 + Math.random()));
    }
  } catch (err) {
    member.state = 'standby';
    log.error({ err, name }, 'this signer cannot ask for the lease');
    await pause(REST_MS);
  } finally {
    await lock.release();
  }
  return null;
}

/** Signs until the lease is lost or the process stops. */
async function hold(
  options: MemberOptions,
  member: Member,
  { epoch, at, before }: Taken,
  stopping: Stopping,
): Promise<void> {
  const { name, leases, log, pause } = options;
  const held = holdLease({ ...options, epoch, takenAt: at });
  const mirrors = createMirrors({
    ...options,
    saveCopies: (copies) => leases.saveCopies(name, epoch, copies),
  });
  try {
    const opened = await options.open(mirroredFiles(mirrors.write)).catch(async (err: unknown) => {
      log.error({ err, name }, 'this signer cannot sign with its journal');
      // Nothing was signed: the one before may go on.
      if (before !== null) await leases.putBack(name, epoch, before);
      await pause(REST_MS);
      return null;
    });
    if (opened === null) return;
    mirrors.begin();
    member.current = { vault: leasedSigning(opened.vault, held.isHeld), held };
    member.state = 'holder';
    member.settle('holder');
    log.warn({ name, epoch: epoch.toString() }, 'this signer holds the lease');
    await Promise.race([held.lost, stopping.word]);
    member.current = null;
    await opened.stop();
  } catch (err) {
    log.error({ err, name }, 'this signer did not close its journal well');
  } finally {
    member.current = null;
    held.stop();
    await mirrors.stop();
    await leases.release(name, epoch).catch(() => undefined);
    member.state = 'standby';
  }
}

/**
 * Whether this signer may ask for the lease: where none was there yet and this folder is the database's; where it was the last holder; or
 * where the lease is over, its holder named this one level, and was heard a moment ago, if ever.
 */
async function mayTake(
  { name, folder, knowsJournal }: MemberOptions,
  lease: LeaseRow | null,
  silentMs: number | null,
): Promise<boolean> {
  if (lease === null) return (await filesIn(folder)).length > 0 || !(await knowsJournal());
  if (lease.holder === name) return true;
  const isFresh = lease.holder === '' || silentMs === null || silentMs <= MOST_SILENT_MS;
  return lease.leftMs <= 0 && lease.level.includes(name) && isFresh;
}

/**
 * Takes the lines that a peer has and this folder lacks. False while a peer signs or is about to, and where the folders of two signers are of
 * two journals. False also where this signer was the last holder, lost lines, and its peer's copy may lack some, too. A witness with other
 * lines stops nothing: it is named behind.
 */
async function catchUp(options: MemberOptions, before: LeaseRow | null): Promise<boolean> {
  const { name, folder, peers, prove, log } = options;
  const mayLack = before !== null && before.holder === name;
  const isBelieved = (peer: string): boolean =>
    !mayLack || [...before.level, ...before.witnesses].includes(peer);
  for (const peer of peers) {
    const line = await peer.dial().then(createMirrorLine, () => null);
    if (line === null) continue;
    try {
      if (!(await pullFrom(folder, line, { isBelieved, prove })))
        throw new AppError('JOURNAL_MISSING', { folder });
    } catch (err) {
      if (hasCode(err, 'JOURNAL_MISSING')) {
        log.error({ peer: peer.name }, LOST);
        return false;
      }
      log.warn({ err, peer: peer.name }, 'the lines of the other signer cannot be compared');
      const isOpposed = err instanceof MirrorRefused ? err.why !== 'broken' : hasCode(err, 'JOURNAL_BROKEN');
      if (isOpposed && !peer.isWitness) return false;
    } finally {
      line.close();
    }
  }
  return true;
}

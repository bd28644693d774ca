import type { Socket } from 'node:net';
import { AppError, isAppError } from '../../../core/errors/app-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { pushTo, sendBytes } from './catch-up.ts';
import { createMirrorLine, type MirrorLine, MirrorRefused } from './mirror-line.ts';
import type { MirrorWrite } from './mirrored-files.ts';

/** Between two words to a peer, and between two tries to reach one. */
const BEAT_MS = 1_000;
/** A witness that fell behind before so many words rests longer each time: a fall costs the signatures of that moment three seconds. */
const STEADY_BEATS = 60;
const MOST_RESTS = 32;
/** Lines that wait for a peer which is catching up. */
const MOST_QUEUED_BYTES = 64 * 1_024 * 1_024;

/** Where another signer or a witness is. `dial` connects to it; it rejects where none answers. A witness keeps lines and never signs. */
export type PeerPlace = {
  readonly name: string;
  readonly isWitness: boolean;
  readonly dial: () => Promise<Socket>;
};

/** The copies of this folder. `level` and `witnesses` have each line; `behind` may lack some. A standby that is level may take the lease. */
export type Copies = {
  readonly level: readonly string[];
  readonly witnesses: readonly string[];
  readonly behind: readonly string[];
};

type Write = { readonly file: string; readonly at: number; readonly bytes: Buffer };

/** A peer and its connection: `queue` while it catches up, none once it is level. Its name is its place until it gave one. */
type Peer = {
  readonly place: PeerPlace;
  name: string;
  line: MirrorLine | null;
  queue: Write[] | null;
};

export type Mirrors = {
  /** For `mirroredFiles`. Throws JOURNAL_TAKEN when another signer holds the lease. */
  readonly write: MirrorWrite;
  /** From here on the peers are followed. */
  readonly begin: () => void;
  readonly stop: () => Promise<void>;
};

/**
 * Keeps the folders of the peers level with this one's, while this process holds the lease. A peer that fails is named behind in the database
 * by `saveCopies` before a write goes on without it; false from there means that another signer holds the lease, and no write ends well any
 * more. A peer that comes back catches up by itself.
 */
export function createMirrors(options: MirrorsOptions): Mirrors {
  const { pause } = options;
  const peers = options.peers.map((place): Peer => ({ place, name: place.name, line: null, queue: null }));
  const roll = createRoll(options, peers);
  let following: readonly Promise<void>[] = [];
  const follow = async (peer: Peer): Promise<void> => {
    let rests = 1;
    while (!roll.isStopped) {
      const line = await peer.place.dial().then(createMirrorLine, () => null);
      const beats = line === null ? null : await keepLevel({ ...options, roll }, peer, line);
      if (beats !== null && peer.place.isWitness)
        rests = beats < STEADY_BEATS ? Math.min(rests * 2, MOST_RESTS) : 1;
      for (let rest = 0; rest < rests && !roll.isStopped; rest += 1) await pause(BEAT_MS);
    }
  };
  return {
    begin: () => {
      // A word that fails is said again by the next write.
      void roll.save().catch(() => undefined);
      following = peers.map(follow);
    },
    write: async (file, at, bytes) => {
      if (roll.isUnsaved) await roll.save();
      const write: Write = { file, at, bytes: Buffer.from(bytes) };
      await Promise.all(peers.map((peer) => writeTo(roll, peer, write)));
    },
    stop: async () => {
      roll.isStopped = true;
      for (const peer of peers) peer.line?.close();
      await Promise.all(following);
    },
  };
}

type MirrorsOptions = {
  readonly folder: string;
  readonly peers: readonly PeerPlace[];
  /** False when another signer holds the lease. */
  readonly saveCopies: (copies: Copies) => Promise<boolean>;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
};

const BEHIND = {
  standby: 'a standby of the signer is behind',
  witness: 'a witness of the signer is behind',
} as const;
const LEVEL = {
  standby: 'a standby of the signer has every line',
  witness: 'a witness of the signer has every line',
} as const;
const kindOf = ({ place }: Peer): keyof typeof BEHIND => (place.isWitness ? 'witness' : 'standby');

/** Which peers are level, here and in the database. */
type Roll = {
  isStopped: boolean;
  /** The database may still name a peer level that is behind. */
  isUnsaved: boolean;
  /** Names the copies in the database. Throws JOURNAL_TAKEN when another signer holds the lease, and the database's errors. */
  readonly save: () => Promise<void>;
  /** Goes on without a peer, once the database says so. Throws as `save`. */
  readonly leave: (peer: Peer, line: MirrorLine, error: unknown) => Promise<void>;
};

function copiesOf(peers: readonly Peer[]): Copies {
  const isLevel = ({ line, queue }: Peer): boolean => line !== null && queue === null;
  const namesOf = (some: readonly Peer[]): readonly string[] => some.map(({ name }) => name);
  const level = peers.filter(isLevel);
  return {
    level: namesOf(level.filter(({ place }) => !place.isWitness)),
    witnesses: namesOf(level.filter(({ place }) => place.isWitness)),
    behind: namesOf(peers.filter((peer) => !isLevel(peer))),
  };
}

function createRoll({ saveCopies, log }: MirrorsOptions, peers: readonly Peer[]): Roll {
  let saving: Promise<void> = Promise.resolve();
  const saveNow = async (): Promise<void> => {
    roll.isUnsaved = true;
    if (!(await saveCopies(copiesOf(peers))))
      throw new AppError('JOURNAL_TAKEN', { cause: 'another signer holds the lease' });
    roll.isUnsaved = false;
  };
  // One after the other: an older word never comes behind a newer one.
  const save = (): Promise<void> => {
    const saved = saving.then(saveNow);
    saving = saved.catch(() => undefined);
    return saved;
  };
  const roll: Roll = {
    isStopped: false,
    isUnsaved: false,
    save,
    leave: async (peer, line, error) => {
      if (peer.line === line) {
        peer.line = null;
        peer.queue = null;
        log.error({ err: error, peer: peer.name }, BEHIND[kindOf(peer)]);
      }
      line.close();
      await save();
    },
  };
  return roll;
}

async function writeTo(roll: Roll, peer: Peer, write: Write): Promise<void> {
  const { line, queue } = peer;
  if (line === null) return;
  if (queue !== null) {
    queue.push(write);
    return;
  }
  try {
    await sendBytes(line, write.file, write.at, write.bytes);
  } catch (error) {
    await roll.leave(peer, line, error);
  }
}

type Following = MirrorsOptions & { readonly roll: Roll };

/**
 * Brings a peer to the lines of this folder, and says a word to it each second until it is lost. Returns the number of words, null where it
 * never had every line. Never rejects.
 */
async function keepLevel(given: Following, peer: Peer, line: MirrorLine): Promise<number | null> {
  const { roll, pause } = given;
  let beats: number | null = null;
  try {
    await catchUp(given, peer, line);
    beats = 0;
    while (!roll.isStopped && peer.line === line) {
      await pause(BEAT_MS);
      if (peer.line === line) await line.ask({ op: 'beat', live: true });
      beats += 1;
    }
  } catch (error) {
    // A write that failed said so already, and a lease that is gone ends all of this elsewhere.
    // One that stops leaves its peers level: they take the lease.
    if (peer.line === line && !roll.isStopped)
      await roll.leave(peer, line, reasonOf(error)).catch(() => undefined);
  }
  line.close();
  return beats;
}

async function catchUp({ folder, roll, log }: Following, peer: Peer, line: MirrorLine): Promise<void> {
  const queue: Write[] = [];
  [peer.line, peer.queue] = [line, queue];
  peer.name = await pushTo(folder, line);
  for (let size = 0; ; ) {
    const writes = joined(queue.splice(0));
    // Between this look and `null` nothing else runs.
    if (writes.length === 0) break;
    size += writes.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (size > MOST_QUEUED_BYTES) throw new RangeError('the peer is too slow');
    for (const write of writes) await sendBytes(line, write.file, write.at, write.bytes);
  }
  peer.queue = null;
  await line.ask({ op: 'beat', live: true });
  await roll.save();
  log.warn({ peer: peer.name }, LEVEL[kindOf(peer)]);
}

/** Writes of one file that follow each other as one, so that a round is quicker than the lines that come meanwhile. */
function joined(writes: readonly Write[]): readonly Write[] {
  const files = new Map<string, Write[]>();
  for (const write of writes) {
    const own = files.get(write.file) ?? [];
    const last = own.at(-1);
    const isNext = last !== undefined && last.at + last.bytes.length === write.at;
    if (isNext) own[own.length - 1] = { ...last, bytes: Buffer.concat([last.bytes, write.bytes]) };
    else own.push(write);
    files.set(write.file, own);
  }
  return [...files.values()].flat();
}

const reasonOf = (error: unknown): unknown =>
  error instanceof MirrorRefused || isAppError(error) ? error : String(error);

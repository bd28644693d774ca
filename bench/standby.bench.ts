/**
 * One line of the signer's journal with a standby on loopback, beside the same signer alone. The standby flushes each line before it
 * acknowledges it; both folders are on one disk, and both ends run in this process, so that the ratio is of the second flush and its way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareFolder } from '../src/platform/journal/file-journal.ts';
import type { OpenLogFile } from '../src/platform/journal/log-file.ts';
import { mirroredFiles } from '../src/platform/journal/mirror/mirrored-files.ts';
import { createMirrors } from '../src/platform/journal/mirror/mirrors.ts';
import { createMirrorServer } from '../src/platform/journal/mirror/serve-mirror.ts';
import { signedEntry } from '../test/conformance/journal.ts';
import { openBenchJournal } from './bench-journal.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';

export const name = 'standby';

const ROUNDS = 1_000;
const SILENT = { warn: () => undefined, error: () => undefined };

export async function run(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'standby-bench-'));
  try {
    const alone = await openOne(join(folder, 'alone'));
    const pair = await openPair(folder);
    // In turns, so that a load of the machine meets both.
    const [one, together] = [await compare(alone, pair, 1), await compare(alone, pair, 16)];
    await alone.close();
    await pair.close();
    const rows = (metric: string, { lone, mirrored }: Times, p: number): Row => ({
      metric: `${metric}, p${p}`,
      value: percentile(mirrored, p),
      unit: 'ms',
      baseline: `the same without one, p${p}`,
      ratio: percentile(mirrored, p) / percentile(lone, p),
    });
    return [
      { metric: 'an append without a standby, p50', value: percentile(one.lone, 50), unit: 'ms' },
      rows('an append with a standby', one, 50),
      rows('an append with a standby', one, 99),
      rows('an append with a standby beside fifteen others', together, 50),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Opened = { readonly append: () => Promise<void>; readonly close: () => Promise<void> };
type Times = { readonly lone: readonly number[]; readonly mirrored: readonly number[] };

/** Times of single appends to each of the two, with so many under way at once. */
async function compare(alone: Opened, pair: Opened, atOnce: number): Promise<Times> {
  const [lone, mirrored]: [number[], number[]] = [[], []];
  const timed = async ({ append }: Opened, into: number[]): Promise<void> => {
    const startedAt = performance.now();
    await append();
    into.push(performance.now() - startedAt);
  };
  for (let n = 0; n < ROUNDS; n += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => timed(alone, lone)));
    await Promise.all(Array.from({ length: atOnce }, () => timed(pair, mirrored)));
  }
  return { lone, mirrored };
}

/** A journal with a standby that has every line from the first append on. */
async function openPair(folder: string): Promise<Opened> {
  const [own, other] = [join(folder, 'holder'), join(folder, 'standby')];
  await prepareFolder(other);
  const standby = createMirrorServer({
    name: 'signer-b',
    folder: other,
    refusal: () => null,
    steadyMs: () => performance.now(),
    now: Date.now,
    log: SILENT,
  });
  const server = createServer((socket) => standby.accept(socket.setNoDelay(true), 'signer-a'));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      resolve(typeof at === 'object' && at !== null ? at.port : 0);
    });
  });
  const dial = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
      socket.once('error', reject);
    });
  let level: readonly string[] = [];
  const mirrors = createMirrors({
    folder: own,
    peers: [{ name: 'signer-b', isWitness: false, dial }],
    saveCopies: async (copies) => {
      level = copies.level;
      return true;
    },
    pause: (ms) => pause(ms),
    log: SILENT,
  });
  const { append, close } = await openOne(own, mirroredFiles(mirrors.write));
  mirrors.begin();
  while (level.length === 0) await pause(10);
  return {
    append,
    close: async () => {
      if (level.length === 0) throw new Error('the standby fell behind: these are times of a signer alone');
      await close();
      await mirrors.stop();
      await standby.rest();
      server.close();
    },
  };
}

async function openOne(folder: string, openFile?: OpenLogFile): Promise<Opened> {
  const { journal, close } = await openBenchJournal(folder, openFile);
  let serial = 0;
  return {
    append: async () => {
      serial += 1;
      await journal.append(signedEntry(serial));
    },
    close,
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { CrashPoint } from '../../test/support/chaos/crash-points.ts';
import type { ProcessOptions } from './compose.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * The worker as one file, so that a restart costs what loading its packages costs. It lies three folders deep, because the
 * migrations are found relative to their reader.
 */
export async function bundleWorker(): Promise<string> {
  const folder = join(root, 'dist', 'torture', 'bundle');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `worker-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, 'scripts', 'torture', 'worker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}

/** On a busy machine a worker takes seconds to begin; one that is killed before it has begun proves nothing. */
const SETTLED_IN_MS = 3_000;

/** A crew of worker processes that is always complete: who dies is replaced at once. */
export function createCrew(file: string, size: number, options: () => ProcessOptions) {
  const members = new Map<ChildProcess, { readyAt: number | null }>();
  const counts = { started: 0, kills: 0, ownDeaths: 0, bugs: [] as string[] };
  let closing = false;
  const crashPoints: CrashPoint[] = [];

  function hire(): void {
    const crashAt = crashPoints.shift() ?? null;
    const child = spawn(process.execPath, [file, JSON.stringify({ ...options(), crashAt })], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    counts.started += 1;
    const member: { readyAt: number | null } = { readyAt: null };
    members.set(child, member);
    child.stdout.on('data', () => {
      member.readyAt ??= Date.now();
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    child.once('exit', (code, signal) => {
      members.delete(child);
      if (closing) return;
      if (signal === 'SIGKILL' && crashAt !== null) counts.ownDeaths += 1;
      if (code === 70) counts.bugs.push(errors);
      // One that cannot start because Postgres is away tries again a little later, as a supervisor would have it.
      setTimeout(hire, code === null ? 0 : 300);
    });
  }

  for (let n = 0; n < size; n += 1) hire();
  return {
    counts,
    /** Kills a member that is in the middle of its work, by its own process id; false when nobody is. */
    kill(pick: (count: number) => number): boolean {
      const ready = [...members].filter(
        ([, { readyAt }]) => readyAt !== null && Date.now() - readyAt >= SETTLED_IN_MS,
      );
      const victim = ready[pick(ready.length)]?.[0];
      if (victim === undefined) return false;
      victim.kill('SIGKILL');
      counts.kills += 1;
      return true;
    },
    /** The next member that is hired kills itself there. */
    plant: (point: CrashPoint): void => void crashPoints.push(point),
    async close(): Promise<void> {
      closing = true;
      const ends = [...members.keys()].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.once('exit', () => resolve());
            child.kill('SIGKILL');
          }),
      );
      await Promise.all(ends);
    },
  };
}

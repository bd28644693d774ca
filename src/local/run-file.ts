import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm start` tells other programs on this machine about itself: `.local/run.json`. */
export type RunFile = {
  readonly pid: number;
  readonly chatUrl: string | null;
  readonly rpcUrl: string | null;
  readonly wsUrl: string | null;
  readonly botApiUrl: string | null;
  readonly openApiUrl: string | null;
  readonly proApiUrl: string | null;
  readonly databaseUrl: string | null;
  /** The inbox of the local mail server, and where it takes mail. */
  readonly mailUrl: string | null;
  readonly smtpUrl: string | null;
};

const NAME = 'run.json';

/** Written last, when everything answers; replaced in one step, so that a reader never sees half of it. Mode 0600. */
export function writeRunFile(dir: string, run: RunFile): void {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, NAME);
  writeFileSync(`${path}.new`, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeRunFile(dir: string): void {
  rmSync(join(dir, NAME), { force: true });
}

/** The file of the program that runs on `dir` now, or null: a file left by a killed program does not count. */
export function readRunFile(dir: string): RunFile | null {
  let run: RunFile;
  try {
    run = JSON.parse(readFileSync(join(dir, NAME), 'utf8')) as RunFile;
  } catch {
    return null;
  }
  return typeof run.pid === 'number' && isAlive(run.pid) ? run : null;
}

/** True while a process with this number runs, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

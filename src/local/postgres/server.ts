import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { program } from './binaries.ts';
import type { OsUser } from './os-user.ts';
import { isPostgres, readPostmaster } from './postmaster-file.ts';

const START_MS = 60_000;
const STOP_MS = 20_000;

/** Settings for a laptop. Durable as in production: only memory and connections are small. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Runs the server and, when standard input closes, shuts it down: so it also stops when this process is killed with -9.
 * `detached` keeps it out of the terminal's process group, or Ctrl-C would stop it while the program still writes.
 */
const WATCHDOG = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
server=$!
{ read -r _ <&3; kill -INT $server; } &
watch=$!
exec 3<&-
wait $server
code=$?
kill $watch 2>/dev/null
exit $code
`;

export type RunningServer = { readonly port: number; stop(): Promise<void> };

/** Starts the server on a free port of 127.0.0.1 and waits until it accepts connections. */
export async function runServer(input: {
  readonly native: string;
  readonly data: string;
  readonly logFile: string;
  readonly user: OsUser | null;
  readonly connections: number;
}): Promise<RunningServer> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const log = openSync(input.logFile, 'w', 0o600);
    const child = launch({ ...input, port, log });
    closeSync(log);
    const exit = new Promise<number | null>((done) => {
      child.once('error', () => done(null));
      child.once('exit', done);
    });
    if (await becomesReady(input.data, port, exit)) {
      return { port, stop: () => stop(input, child, exit) };
    }
    child.stdin?.destroy();
    const text = await readFile(input.logFile, 'utf8').catch(() => '');
    // Another program took the port between our look and the server's.
    if (text.includes('could not bind') && tries < 5) continue;
    throw new Error(`the local Postgres does not start: ${lastComplaint(text)}`);
  }
}

function launch(input: {
  readonly native: string;
  readonly data: string;
  readonly port: number;
  readonly log: number;
  readonly user: OsUser | null;
  readonly connections: number;
}): ChildProcess {
  const settings = Object.entries({
    ...SETTINGS,
    max_connections: String(input.connections),
    port: String(input.port),
  });
  const args = ['-D', input.data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const options: SpawnOptions = {
    cwd: input.data,
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC' },
    stdio: ['pipe', input.log, input.log],
    detached: true,
    ...input.user,
  };
  const postgres = program(input.native, 'postgres');
  if (process.platform === 'win32') return spawn(postgres, args, { ...options, env: {} });
  return spawn('/bin/sh', ['-c', WATCHDOG, postgres, ...args], options);
}

async function becomesReady(data: string, port: number, exit: Promise<unknown>): Promise<boolean> {
  let exited = false;
  void exit.then(() => {
    exited = true;
  });
  const deadline = Date.now() + START_MS;
  while (!exited && Date.now() < deadline) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.port === port && postmaster.status === 'ready') return true;
    await sleep(10);
  }
  return false;
}

/** Fast shutdown: open transactions roll back, everything committed is on disk, no process stays behind. */
async function stop(
  { native, data, user }: { readonly native: string; readonly data: string; readonly user: OsUser | null },
  child: ChildProcess,
  exit: Promise<unknown>,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === 'win32') await stopByControl(native, data, user);
  child.stdin?.end();
  const late = new AbortController();
  await Promise.race([exit, sleep(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  if (child.exitCode === null && child.signalCode === null)
    await stopByControl(native, data, user, 'immediate');
}

/**
 * Deals with a server that an earlier process left in `data`: waits for one that is stopping, stops one that runs, and removes
 * the pid file of one that is gone. Afterwards `data` is free.
 */
export async function clearLeftover(native: string, data: string, user: OsUser | null): Promise<void> {
  const left = await readPostmaster(data);
  if (!left) return;
  if (await isPostgres(left.pid)) {
    await stopByControl(native, data, user);
    for (let waited = 0; waited < STOP_MS && (await isPostgres(left.pid)); waited += 20) await sleep(20);
    if (await isPostgres(left.pid)) {
      throw new Error(
        `another Postgres (process ${left.pid}) holds ${data} and does not stop. Stop it, then start again.`,
      );
    }
  }
  await rm(join(data, 'postmaster.pid'), { force: true });
}

async function stopByControl(
  native: string,
  data: string,
  user: OsUser | null,
  mode: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  const args = ['stop', '-D', data, '-m', mode, '-w', '-t', String(STOP_MS / 1_000)];
  await promisify(execFile)(program(native, 'pg_ctl'), args, { cwd: data, ...user }).catch(() => undefined);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** The line that says why: the last FATAL or PANIC, without its time stamp. */
function lastComplaint(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((text) => /FATAL|PANIC|error/i.test(text)) ?? lines.at(-1) ?? 'it said nothing';
  return line.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '').trim();
}

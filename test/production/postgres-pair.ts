import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { serverUser } from '../../src/local/postgres/os-user.ts';
import { freePort } from '../support/free-port.ts';

const NAME = 'tradepost';
const run = promisify(execFile);

/** One server of a pair: real, with streaming replication, and without a password, as it listens on loopback alone. */
export type PairedServer = {
  readonly name: string;
  readonly data: string;
  readonly url: string;
  readonly superUrl: string;
  /** Ends every process of it at once, as a loss of power does to them. */
  readonly kill: () => Promise<void>;
  /** Holds up every process of it, or lets them go on. */
  readonly hold: (held: boolean) => void;
  /** Makes a standby the primary. When it resolves, it takes writes. */
  readonly promote: () => Promise<void>;
};

export type Pair = {
  readonly primary: PairedServer;
  /** A standby that streams from this server, under this name. */
  readonly follow: (of: PairedServer, name: string) => Promise<PairedServer>;
  /** A server on a folder that is whole already. */
  readonly open: (data: string, name: string) => Promise<PairedServer>;
  readonly stop: () => Promise<void>;
};

/** Where Debian keeps the programs of the newest Postgres; null when there is none. */
export function debianPostgres(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((one) => join(root, one, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
}

/**
 * A primary in `folder`. Its role `tradepost` owns the database and is no superuser; `monitor` grants it what it needs to see how
 * replicas stand.
 */
export async function startPair(
  folder: string,
  options: {
    readonly monitor: boolean;
    readonly settings?: readonly string[];
    /** Where it listens beside loopback; absent: nowhere. */
    readonly sockets?: string;
  },
): Promise<Pair> {
  const bin = debianPostgres() ?? '';
  const account = await serverUser();
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== null) chownSync(folder, account.uid, account.gid);
  const at = { cwd: folder, env, ...account };
  const servers: { child: ChildProcess }[] = [];
  const start = async (data: string, name: string): Promise<PairedServer> => {
    const port = await freePort();
    const child = spawn(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        `${port}`,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${options.sockets ?? ''}`,
      ],
      { ...at, stdio: 'ignore' },
    );
    servers.push({ child });
    const superUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    await until(() => asks(superUrl, 'SELECT 1'));
    return {
      name,
      data,
      superUrl,
      url: `postgresql://${NAME}@127.0.0.1:${port}/${NAME}`,
      kill: () => end(child),
      hold: (held) => signal(child, held ? 'SIGSTOP' : 'SIGCONT'),
      promote: async () => {
        await asks(superUrl, 'SELECT pg_promote(true, 60)');
        await until(
          async () => (await asks(superUrl, 'SELECT pg_is_in_recovery() AS r'))[0]?.['r'] === false,
        );
      },
    };
  };
  const data = join(folder, 'a');
  await run(
    join(bin, 'initdb'),
    ['--no-sync', '--encoding=UTF8', '--auth=trust', '--username=postgres', data],
    at,
  );
  const settings = ['wal_level=replica', 'max_wal_senders=8', 'hot_standby=on', "wal_sender_timeout='5s'"];
  appendFileSync(join(data, 'postgresql.conf'), `${[...settings, ...(options.settings ?? [])].join('\n')}\n`);
  const primary = await start(data, 'a');
  await asks(primary.superUrl, `CREATE ROLE ${NAME} LOGIN`);
  await asks(primary.superUrl, `CREATE DATABASE ${NAME} OWNER ${NAME}`);
  if (options.monitor) await asks(primary.superUrl, `GRANT pg_monitor TO ${NAME}`);
  return {
    primary,
    follow: async (of, name) => {
      const copy = join(folder, name);
      const { port } = new URL(of.superUrl);
      const source = `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;
      await run(
        join(bin, 'pg_basebackup'),
        ['--no-sync', '--checkpoint=fast', '--write-recovery-conf', '--pgdata', copy, '--dbname', source],
        at,
      );
      return start(copy, name);
    },
    open: start,
    stop: async () => {
      for (const { child } of servers) await end(child);
    },
  };
}

/** Rows of one statement on a connection of its own. */
export async function asks(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Until it answers with something true; what it throws meanwhile is passed over. */
export async function until<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask().catch((error: unknown) => (tries > 600 ? Promise.reject(error) : null));
    if (answer !== null && answer !== false && answer !== undefined) return answer;
    if (tries > 600) throw new Error('it never came to that');
    await pause(50);
  }
}

/** Postgres puts each of its processes into a session of its own, so a group's signal reaches the first alone. */
function processesOf(child: ChildProcess): readonly number[] {
  const { pid } = child;
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  for (const pid of processesOf(child)) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  signal(child, 'SIGKILL');
  await ended;
}

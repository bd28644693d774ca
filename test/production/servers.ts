import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { serverUser } from '../../src/local/postgres/os-user.ts';
import { freePort } from '../support/free-port.ts';
import { type Running, run, until } from './processes.ts';

/** A server as Debian packages it, on a port of its own. Its data outlives a stop where the real one's would. */
export type Server = {
  readonly port: number;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Everything that it has written, over its starts. */
  readonly said: () => string;
};

/** What this machine lacks for the production shape; null = nothing. */
export function missingServers(): string | null {
  const missing = [
    ...(postgresBin() === null ? ['Postgres (Debian: apt install postgresql)'] : []),
    ...(redisBinary() === null ? ['Redis (Debian: apt install redis-server)'] : []),
  ];
  return missing.length === 0 ? null : missing.join(' and ');
}

/** As the image `postgres` makes it: one superuser with a password, which every connection has to prove. */
export async function createPostgres(folder: string, user: string, password: string): Promise<Server> {
  const bin = postgresBin() ?? '';
  const account = await serverUser();
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  if (account !== null) for (const path of [folder, secret]) chownSync(path, account.uid, account.gid);
  const options = { cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }, ...account };
  await promisify(execFile)(
    join(bin, 'initdb'),
    [
      '--no-sync',
      '--encoding=UTF8',
      '--auth=scram-sha-256',
      `--username=${user}`,
      `--pwfile=${secret}`,
      data,
    ],
    options,
  );
  rmSync(secret);
  const port = await freePort();
  const command = [
    join(bin, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'log_line_prefix=%u: ',
  ];
  let server: Running | null = null;
  let before = '';
  return {
    port,
    start: async () => {
      const started = run(command, options);
      server = started;
      await until(
        'Postgres',
        () => {
          if (started.end() !== null) throw new Error(`Postgres ended: ${started.said()}`);
          return canConnect(port, user, password);
        },
        started.said,
      );
    },
    // Its fast shutdown: every connection is cut.
    stop: async () => {
      await server?.stop('SIGINT');
      before += server?.said() ?? '';
      server = null;
    },
    said: () => before + (server?.said() ?? ''),
  };
}

/** With the arguments of docker-compose.yml: nothing is saved, a stop loses all of it. */
export async function createRedis(args: readonly string[]): Promise<Server> {
  const port = await freePort();
  const binary = redisBinary() ?? '';
  let server: Running | null = null;
  let before = '';
  return {
    port,
    start: async () => {
      const started = run([binary, ...args, '--port', String(port), '--bind', '127.0.0.1'], {
        cwd: '/',
        env: {},
      });
      server = started;
      await until('Redis', () => answersPing(port), started.said);
    },
    stop: async () => {
      await server?.stop('SIGTERM');
      before += server?.said() ?? '';
      server = null;
    },
    said: () => before + (server?.said() ?? ''),
  };
}

function postgresBin(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(debian, version, 'bin'));
  return found.find((bin) => ['initdb', 'postgres'].every((name) => existsSync(join(bin, name)))) ?? null;
}

function redisBinary(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path)) ?? null;
}

async function canConnect(port: number, user: string, password: string): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function answersPing(port: number): Promise<boolean> {
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

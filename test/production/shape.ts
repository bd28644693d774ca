import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ROLES, type Role } from '../../src/config/process.ts';
import { type ComposeFile, readCompose } from '../support/compose-file.ts';
import { freePort } from '../support/free-port.ts';
import { imageCommand } from '../support/image-tree.ts';
import { raiseWalls, type Walls } from './contained.ts';
import { type Folders, giveSecrets, makeFolders, makeSecrets } from './folders.ts';
import { type Answer, type ProgramOptions, type Running, run, runToEnd, until } from './processes.ts';
import { createPostgres, createRedis, type Server } from './servers.ts';
import type { ChainProcess, TelegramProcess } from './stand-in-process.ts';
import { writeWorldHook } from './world-hook.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Finality, which rewards and reconciling wait for, comes after two seconds instead of thirteen. */
const SLOT_MS = '60';

export type ShapeOptions = {
  /** State of the chain to go on with. */
  readonly chainDir?: string;
  /** The operator's own lines of `.env`, beside where the stand-ins are. */
  readonly settings?: Readonly<Record<string, string>>;
  /** 64 hexadecimal digits of the master key; absent: made. */
  readonly kek?: string;
};

/** The service as docker-compose.yml starts it, without Docker. */
export type Shape = {
  readonly walls: string;
  /** The image's file tree. */
  readonly tree: string;
  /** A folder that nobody but this test sees, and `/backups` of the compose file. */
  readonly scratch: string;
  readonly backups: string;
  readonly chain: ChainProcess;
  readonly telegram: TelegramProcess;
  readonly postgres: Server;
  readonly redis: Server;
  /** Of the database that the compose file names, with its password. */
  readonly databaseUrl: string;
  readonly openApiUrl: string;
  readonly proApiUrl: string;
  /** What the service `database` does before the others start. */
  readonly prepare: () => Promise<Answer>;
  /** Resolves when `/readyz` answers 200. */
  readonly start: (role: Role) => Promise<void>;
  /** After `prepare`. */
  readonly startAll: () => Promise<void>;
  readonly role: (role: Role) => Running;
  /** Status and body of `/readyz`. */
  readonly ready: (role: Role) => Promise<{ readonly status: number; readonly text: string }>;
  /** An operator's command as `docker compose run --rm ops …` runs it, or with another service's environment. */
  readonly ops: (args: readonly string[], options?: OpsOptions) => Promise<Answer>;
  /** A service's own command, e.g. that of the nightly dump, with more words behind it. */
  readonly command: (service: string, command: readonly string[]) => Promise<Answer>;
  readonly sql: <T extends object>(
    text: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<T[]>;
  readonly close: () => Promise<void>;
};

type OpsOptions = {
  readonly service?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

/** Everything up to the roles: stand-ins, servers, the tree, the secrets. */
export async function createShape(options: ShapeOptions = {}): Promise<Shape> {
  const scratch = mkdtempSync(join(tmpdir(), 'tradepost-production-'));
  chmodSync(scratch, 0o711);
  const walls = raiseWalls();
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    return await openShape({ options, scratch, walls, closing, close });
  } catch (error) {
    await close();
    throw error;
  }
}

type Opening = {
  readonly options: ShapeOptions;
  readonly scratch: string;
  readonly walls: Walls;
  readonly closing: (() => Promise<unknown>)[];
  readonly close: () => Promise<void>;
};

async function openShape(opening: Opening): Promise<Shape> {
  const { options, scratch, walls, close } = opening;
  const compose = readCompose();
  const folders = await makeFolders(scratch, walls);
  const { chain, telegram } = await startStandIns(opening);
  const password = makeSecrets(folders, telegram.token, options.kek);
  // All of them run as one user here: the walls between users are those of test/trust/deploy.
  if (walls.user !== null) chownSync(folders.backups, walls.user.uid, walls.user.gid);
  for (const [name, { secrets = [] }] of Object.entries(compose.services))
    giveSecrets(folders, name, secrets, walls);
  const user = compose.services['postgres']?.environment?.['POSTGRES_USER'] ?? '';
  const servers = await startServers(opening, compose, { user, password });
  const { postgres, redis } = servers;
  const ports = await takePorts();
  const settings = settingsFile({ chain, telegram }, options.settings);
  const environmentOf = (service: string): Record<string, string> => ({
    PATH,
    HOME: folders.tmp,
    TMPDIR: folders.tmp,
    ...(compose.services[service]?.env_file === '.env' ? settings : {}),
    ...placed(compose, service, folders, servers),
    ...ports.of(service),
  });
  const inTree: InTree = (service, command) => [
    walls.around(command, [
      folders.tmp,
      folders.backups,
      ...(service === 'signer' ? [folders.socket, folders.journal] : []),
    ]),
    { cwd: folders.tree, env: environmentOf(service) },
  ];
  const sql = querier(postgres, user, password);
  await sql(`CREATE DATABASE ${user}`, [], 'postgres');
  const { entrypoint = [], command = [] } = compose.services['database'] ?? {};
  const prepare: Shape['prepare'] = () =>
    runToEnd(
      ...inTree(
        'database',
        [...entrypoint, ...command].map((word) => folders.place('database', word)),
      ),
    );
  return {
    walls: walls.text,
    tree: folders.tree,
    scratch,
    backups: folders.backups,
    chain,
    telegram,
    postgres,
    redis,
    databaseUrl: `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${postgres.port}/${user}`,
    openApiUrl: `http://127.0.0.1:${ports.api}`,
    proApiUrl: `http://127.0.0.1:${ports.pro}`,
    prepare,
    ...createRoles(opening, {
      inTree,
      health: ports.health,
      hook: writeWorldHook(folders.hook, chain),
      prepare,
    }),
    ops: (args, { service = 'ops', env = {}, input } = {}) => {
      const [command, options] = inTree(service, [...(compose.services['ops']?.entrypoint ?? []), ...args]);
      return runToEnd(command, { ...options, env: { ...options.env, ...env } }, input);
    },
    command: (service, command) =>
      runToEnd(
        ...inTree(
          service,
          command.map((word) => folders.place(service, word)),
        ),
      ),
    sql,
    close,
  };
}

/** A service's command behind the walls, with that service's environment. */
type InTree = (service: string, command: readonly string[]) => readonly [readonly string[], ProgramOptions];

async function startStandIns({ options, scratch, closing }: Opening) {
  const standIn = async <T>(...args: readonly string[]): Promise<T> => {
    const child = run([...NODE, join(root, 'test/production/stand-in-process.ts'), ...args], {
      cwd: root,
      env: { PATH },
    });
    closing.push(() => child.stop('SIGKILL'));
    await until(`the stand-in ${args[0]}`, () => child.said().endsWith('}\n'), child.said);
    return JSON.parse(child.said().trim().split('\n').at(-1) ?? '') as T;
  };
  const [chain, telegram] = await Promise.all([
    standIn<ChainProcess>('chain', options.chainDir ?? join(scratch, 'chain'), SLOT_MS),
    standIn<TelegramProcess>('telegram'),
  ]);
  return { chain, telegram };
}

async function startServers(
  { scratch, closing }: Opening,
  compose: ComposeFile,
  { user, password }: { readonly user: string; readonly password: string },
) {
  const [postgres, redis] = await Promise.all([
    createPostgres(join(scratch, 'postgres'), user, password),
    createRedis((compose.services['redis']?.command ?? []).slice(1)),
  ]);
  for (const server of [postgres, redis]) {
    closing.push(server.stop);
    await server.start();
  }
  return { postgres, redis };
}

/** A connection per question: the server is stopped and started again under this test. */
function querier({ port }: Server, user: string, password: string): Shape['sql'] {
  return async (text, values = [], database = user) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user, password, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
}

function createRoles(
  { closing }: Opening,
  world: {
    readonly inTree: InTree;
    readonly health: Readonly<Record<string, number | undefined>>;
    readonly hook: string;
    readonly prepare: Shape['prepare'];
  },
): Pick<Shape, 'start' | 'startAll' | 'role' | 'ready'> {
  const { inTree, health, hook, prepare } = world;
  const roles = new Map<Role, Running>();
  closing.push(() =>
    Promise.all([...roles.values()].filter((one) => one.end() === null).map((one) => one.stop('SIGKILL'))),
  );
  const ready: Shape['ready'] = (role) =>
    fetch(`http://127.0.0.1:${health[role]}/readyz`).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error: unknown) => ({ status: 0, text: String(error) }),
    );
  const start = async (role: Role): Promise<void> => {
    // The image's CMD, with the one module that stands for the local exchange put in its place.
    const child = run(...inTree(role, imageCommand().toSpliced(-1, 0, '--import', hook)));
    roles.set(role, child);
    await until(
      `${role} to be ready`,
      async () => {
        if (child.end() !== null) throw new Error(`${role} ended:\n${child.said()}`);
        return (await ready(role)).status === 200;
      },
      child.said,
    );
  };
  return {
    start,
    startAll: async () => {
      const { code, out, err } = await prepare();
      if (code !== 0) throw new Error(`the roles of the database were not made:\n${out}${err}`);
      await Promise.all(ROLES.map(start));
    },
    role: (role) => {
      const found = roles.get(role);
      if (found === undefined) throw new Error(`${role} was not started`);
      return found;
    },
    ready,
  };
}

const PATH = process.env['PATH'] ?? '';
const NODE = [process.execPath, '--import', join(root, 'scripts/register.mjs')];

/** A service's environment of the compose file, with what is elsewhere here named as it is here. */
function placed(
  compose: ComposeFile,
  service: string,
  folders: Folders,
  { postgres, redis }: { readonly postgres: Server; readonly redis: Server },
): Record<string, string> {
  const given = Object.entries(compose.services[service]?.environment ?? {});
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      folders
        .place(service, value)
        .replace('@postgres:5432/', `@127.0.0.1:${postgres.port}/`)
        .replace('//redis:6379', `//127.0.0.1:${redis.port}`),
    ]),
  );
}

/** Containers have a network each; processes of one machine need ports of their own. */
async function takePorts() {
  const [signer, bot, worker, api, indexer, open, pro] = await Promise.all(
    Array.from({ length: 7 }, freePort),
  );
  const health: Readonly<Record<string, number | undefined>> = { signer, bot, worker, api, indexer };
  return {
    health,
    api: open,
    pro,
    of: (service: string): Record<string, string> => ({
      ...(health[service] === undefined ? {} : { HEALTH_PORT: String(health[service]) }),
      ...(service === 'api' ? { API_PORT: String(open), PRO_API_PORT: String(pro) } : {}),
    }),
  };
}

/** The operator's `.env`. */
function settingsFile(
  { chain, telegram }: Pick<Shape, 'chain' | 'telegram'>,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    SOLANA_RPC_URL: chain.rpcUrl,
    SOLANA_WS_URL: chain.wsUrl,
    BOT_API_ROOT: telegram.botApiUrl,
    SMTP_URL: telegram.smtpUrl,
    MAIL_FROM: 'Tradepost <keys@example.org>',
    PUBLIC_URL: 'https://desk.example.org',
    API_HOST: '127.0.0.1',
    API_RATE_PER_SECOND: '1000',
    API_RATE_BURST: '1000',
    ADDRESS_DELAY_SECONDS: '0',
    LONG_DELAY_SECONDS: '0',
    // The people here type faster than people can.
    CHAT_UPDATES: '1000',
    ...own,
  };
}

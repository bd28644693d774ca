import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultPlanInput } from '@tradepost/local-chain';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startDeskChain } from '../../src/local/desk/index.ts';
import { startLocalPostgres } from '../../src/local/postgres/index.ts';
import { startTcpProxy } from '../../test/support/proxy/tcp-proxy.ts';
import { seededRandom } from '../../test/support/simulator/random.ts';
import type { ProcessOptions } from './compose.ts';
import { insist } from './insist.ts';
import { startLiar } from './liar.ts';

const LIAR_SEED = 5;
/** Lies per answer of the third endpoint: not all, because each of them may leave a request to a person. */
const LIES = 0.1;

/** Goal G1's weather: at least 30 % lost answers, 20 % drops and 10 % late landings, and all the rest. */
export const STORM: NonNullable<FaultPlanInput['rules']> = [
  { kind: 'slow', ms: 300, chance: 0.03 },
  { kind: 'lose-answer', method: 'sendTransaction', chance: 0.32 },
  { kind: 'drop', chance: 0.33 },
  { kind: 'late', chance: 0.2 },
  { kind: 'late', beforeExpiry: 60, chance: 0.1 },
  { kind: 'fork', chance: 0.1 },
  { kind: 'duplicate', chance: 0.1 },
  { kind: 'lag', method: 'getSignatureStatuses', chance: 0.15 },
  { kind: 'lag', method: 'getEpochInfo', chance: 0.15 },
  { kind: 'lag', method: 'getTransaction', chance: 0.15 },
  { kind: 'lag', method: 'getLatestBlockhash', slots: 120, chance: 0.1 },
  { kind: 'status', status: 429, chance: 0.01 },
  { kind: 'status', status: 500, chance: 0.01 },
  { kind: 'reset', chance: 0.02 },
  { kind: 'lose-answer', chance: 0.02 },
];

/** Postgres behind the proxy, the chaos chain with its oracles, and Redis when there is one. */
export async function startWorld(options: {
  readonly slotMs: number;
  readonly seed: string;
  readonly redisUrl: string | null;
  /** Of Postgres; as a local world has them when absent. */
  readonly connections?: number;
  /** Whose row must hold a signature before a node sees it: `attempts` when absent. */
  readonly committed?: 'attempts' | 'submissions';
  readonly lies?: Omit<Parameters<typeof startLiar>[0], 'rpcUrl' | 'random'>;
}) {
  const { committed = 'attempts', lies = { chance: LIES } } = options;
  const dir = await mkdtemp(join(tmpdir(), 'tradepost-torture-'));
  await chmod(dir, 0o711);
  const place = {
    dir: join(dir, 'postgres'),
    ...(options.connections === undefined ? {} : { connections: options.connections }),
  };
  let postgres = await startLocalPostgres(place);
  const target = () => ({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) });
  const proxy = await startTcpProxy(target());
  const proxied = new URL(postgres.url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(proxy.port);

  const chain = await startDeskChain({
    slotMs: options.slotMs,
    seed: options.seed,
    wsPort: null,
    historyLimit: 1_000_000,
    faults: { seed: options.seed },
  });
  const { faults } = chain;
  if (faults === null) throw new Error('the chain came up without its faults');

  const liar = await startLiar({
    rpcUrl: chain.rpcUrl,
    random: seededRandom(LIAR_SEED),
    ...lies,
  });
  let witness = openWitness(postgres.url);
  faults.watch(async (signature) => {
    const found = await witness.query(`SELECT 1 FROM ${committed} WHERE signature = $1`, [signature]);
    return found.rowCount === 1;
  });
  const redis = options.redisUrl === null ? null : new Redis(options.redisUrl);
  redis?.on('error', () => undefined);

  const processOptions: Omit<ProcessOptions, 'crashAt' | 'signer'> = {
    databaseUrl: proxied.href,
    redisUrl: options.redisUrl,
    // Two names of one node count as two endpoints, and each may lag on its own. The third lies.
    rpcUrls: [chain.rpcUrl, chain.rpcUrl.replace('127.0.0.1', 'localhost'), liar.url],
    deskUrl: chain.deskUrl,
    kek: randomBytes(32).toString('hex'),
    slotMs: options.slotMs,
  };
  return {
    /** People whose rows a writer changes: nothing is promised for these but that nothing moves. */
    victims: [] as string[],
    chain,
    faults,
    liar,
    proxy,
    processOptions,
    /** Past the proxy, as a superuser: of the server that runs now. */
    url: () => postgres.url,
    query: async (sql: string) => (await witness.query<Record<string, string>>(sql)).rows,
    /** Fair weather from now on. */
    calm(): void {
      faults.setPlan({});
      liar.setLying(false);
      proxy.setFaults({});
    },
    /** Kills the server as a power cut would and starts it again on its data. */
    async restartPostgres(): Promise<void> {
      // Processes that are killed and started leave it without a free connection for a moment.
      const { rows } = await insist(() =>
        witness.query<{ dir: string }>(
          `SELECT setting AS dir FROM pg_settings WHERE name = 'data_directory'`,
        ),
      );
      const pid = Number((await readFile(join(rows[0]?.dir ?? '', 'postmaster.pid'), 'utf8')).split('\n')[0]);
      await witness.end().catch(() => undefined);
      process.kill(pid, 'SIGKILL');
      await pause(500);
      await postgres.stop();
      postgres = await startLocalPostgres(place);
      proxy.setTarget(target());
      proxy.cut();
      witness = openWitness(postgres.url);
    },
    /** Everything the queue knows is gone. */
    async loseQueue(): Promise<void> {
      // Workers that hold other locks of the schema may win a deadlock against the drop.
      if (redis === null) await insist(() => witness.query('DROP SCHEMA IF EXISTS bullmq CASCADE'));
      else await redis.flushall();
    },
    async stop(): Promise<void> {
      await proxy.stop();
      redis?.disconnect();
      await witness.end().catch(() => undefined);
      await liar.stop();
      await chain.stop();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function openWitness(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  return pool;
}

export type TortureWorld = Awaited<ReturnType<typeof startWorld>>;

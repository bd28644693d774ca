import {
  createPostgresBackend,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type JobsOptions,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { asking, type RedisSilence, waiting } from '../redis-silence.ts';

// SQL: asks whether the server answers.

const SCHEMA = 'bullmq';
const CONNECT_MS = 10_000;
/** LISTEN holds one; the others serve adds and transitions. */
const POSTGRES_CONNECTIONS = 5;

/** NOTIFY announces new jobs. An idle worker checks all the same, this often. */
const IDLE_SECONDS = 30;

/** The differences between Redis and Postgres. */
export type Backend = {
  add(name: string, data: unknown, options: JobsOptions): Promise<unknown>;
  /** Starts a worker and waits until it takes jobs. */
  work(
    process: Process,
    options: Omit<WorkerOptions, 'connection'>,
    watch: WorkerWatch,
  ): Promise<{ close(): Promise<void> }>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
};

type Process = (job: Job, token?: string) => Promise<void>;

export type WorkerWatch = {
  readonly onError: (error: Error) => void;
  readonly onStalled: (id: string) => void;
  readonly onFailed: (job: JobSummary | undefined, error: Error) => void;
};

export type JobSummary = Pick<Job, 'name' | 'attemptsMade' | 'opts' | 'deduplicationId'>;

/** Events have no reader; BullMQ keeps 10,000 of them by default. */
const STREAMS = { events: { maxLen: 100 } } as const;

export async function createRedisBackend(
  redisUrl: string,
  name: string,
  silence: RedisSilence,
): Promise<Backend> {
  // A producer fails at once when Redis is away: the outbox row stays, and the relay tries again.
  const producing = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
    ...asking(silence),
  });
  // Without a listener ioredis prints to the console; failures reach the caller through the commands.
  producing.on('error', () => undefined);
  try {
    await producing.connect();
    await producing.ping();
  } catch (error) {
    producing.disconnect();
    throw error;
  }
  // The braces keep all keys of the queue in one slot of a Redis Cluster.
  const prefix = `{${name}}`;
  const queue = new Queue(name, { connection: producing, prefix, streams: STREAMS });
  queue.on('error', () => undefined);
  try {
    await firstLook(queue);
  } catch (error) {
    producing.disconnect();
    throw error;
  }
  const consuming: Redis[] = [];
  return {
    add: (job, data, options) => queue.add(job, data, options),
    work: (process, options, watch) => {
      const connection = producing.duplicate({
        maxRetriesPerRequest: null,
        enableOfflineQueue: true,
        ...waiting(silence),
      });
      connection.on('error', () => undefined);
      consuming.push(connection);
      return started(new Worker(name, process, { ...options, prefix, connection }), watch);
    },
    ping: () => producing.ping(),
    close: async () => {
      await queue.close();
      for (const connection of [...consuming, producing]) connection.disconnect();
    },
  };
}

export async function createPostgresQueueBackend(databaseUrl: string, name: string): Promise<Backend> {
  const pool = poolOf(databaseUrl);
  const prepare = async () => {
    const client = await pool.connect();
    try {
      await runMigrations(client, SCHEMA);
    } finally {
      client.release();
    }
  };
  try {
    await prepare();
  } catch (error) {
    await pool.end();
    throw error;
  }
  // The same object: BullMQ describes a pool by a type of its own, which pg's overloads do not match to the letter.
  const connection = pool as unknown as Parameters<typeof createPostgresBackend>[1]['connection'];
  // The third argument of Queue and the fourth of Worker choose the backend.
  const queue = new Queue(name, { connection, streams: STREAMS }, createPostgresBackend);
  queue.on('error', () => undefined);
  try {
    await firstLook(queue);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    add: async (job, data, options) => {
      try {
        return await queue.add(job, data, options);
      } catch (error) {
        // The schema was dropped, or a dump without it was restored: it is made again with the next job.
        if (!isMissing(error)) throw error;
        await prepare();
        return await queue.add(job, data, options);
      }
    },
    work: (process, options, watch) =>
      started(
        new Worker(
          name,
          process,
          { ...options, connection, drainDelay: IDLE_SECONDS },
          createPostgresBackend,
        ),
        watch,
      ),
    ping: () => pool.query('SELECT 1'),
    close: async () => {
      await queue.close();
      await pool.end();
    },
  };
}

function poolOf(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'tradepost-queue',
    keepAlive: true,
    // A pool of our own, so BullMQ does not set the path itself.
    options: `-c search_path=${SCHEMA}`,
  });
  pool.on('error', () => undefined);
  // The pool watches only idle connections; a lent one can fail too, and its next statement says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Postgres says that a schema, a table or a function is not there. */
function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === '3F000' || code === '42P01' || code === '42883';
}

/**
 * BullMQ keeps the answer to its first look at the server for good: a queue that looked while the server was away would refuse
 * every job of this process, for ever. Better not to start.
 */
async function firstLook(queue: { waitUntilReady(): Promise<unknown> }): Promise<void> {
  await queue.waitUntilReady();
}

async function started<B extends IQueueBackend, Connection>(
  worker: Worker<unknown, void, string, B, JobProgress, Connection>,
  watch: WorkerWatch,
): Promise<{ close(): Promise<void> }> {
  worker.on('error', watch.onError);
  worker.on('stalled', watch.onStalled);
  worker.on('failed', watch.onFailed);
  try {
    await worker.waitUntilReady();
  } catch (error) {
    // It would ask again without a pause, and be answered with the same failure, for ever.
    await worker.close(true);
    throw error;
  }
  return { close: () => worker.close() };
}

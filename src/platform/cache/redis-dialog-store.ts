import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { AppError } from '../../core/errors/app-error.ts';
import type { DialogStore } from '../ports/dialog-store.ts';
import { asking, REDIS_SILENCE, type RedisSilence } from '../redis-silence.ts';
import { assertFits, MAX_TRIES, UPDATE_KEPT_SECONDS } from './limits.ts';

// Scripts run alone on the server: the rows they read are unchanged when they write. A command whose answer was lost is sent again, so each
// carries a name of its own: when it finds that name it was here before, and answers as it did then.

const WRITE = `
local seen = redis.call('HMGET', KEYS[1], 'revision', 'by')
if seen[2] == ARGV[4] then return 1 end
if (seen[1] or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'revision', ARGV[1] + 1, 'value', ARGV[2], 'by', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

const LOCK = `
local holder = redis.call('GET', KEYS[1])
if holder then return holder == ARGV[1] and 1 or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

const CLAIM = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = redis.call('HMGET', KEYS[1], 'done', 'tries', 'lease', 'by')
if seen[1] then return 'done' end
if seen[4] == ARGV[4] then return 'claimed' end
if tonumber(seen[3] or 0) > now then return 'busy' end
if tonumber(seen[2] or 0) >= tonumber(ARGV[2]) then return 'poison' end
redis.call('HINCRBY', KEYS[1], 'tries', 1)
redis.call('HSET', KEYS[1], 'lease', now + ARGV[1], 'by', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 'claimed'`;

const FINISH = `
redis.call('HSET', KEYS[1], 'done', 1)
return redis.call('EXPIRE', KEYS[1], ARGV[1])`;

/**
 * Dialogues in Redis, every key with an end: Redis is shared with the queue and must never evict. Throws QUEUE_UNREACHABLE when Redis does
 * not answer, at the start and at any call; the command may have been carried out then.
 */
export async function createRedisDialogStore(options: {
  readonly redisUrl: string;
  /** Installations that share one server need names of their own. */
  readonly name?: string;
  readonly silence?: RedisSilence;
}): Promise<DialogStore & { close(): Promise<void> }> {
  const redis = clientOf(options.redisUrl, options.silence ?? REDIS_SILENCE);
  const name = options.name ?? 'tradepost';
  const at = (kind: string, key: string) => `${name}:${kind}:${key}`;
  const reaching = <T>(command: Promise<T>): Promise<T> =>
    command.catch((error: unknown) => {
      throw unreachable(options.redisUrl, error);
    });

  await reaching(redis.connect()).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });

  return {
    read: async (key) => {
      const [revision, value] = await reaching(redis.hmget(at('dialog', key), 'revision', 'value'));
      return typeof revision === 'string' && typeof value === 'string'
        ? { revision: Number(revision), value }
        : null;
    },
    write: async (key, revision, value, ttlSeconds) => {
      assertFits(key, value);
      const ttlMs = Math.ceil(ttlSeconds * 1_000);
      return (
        (await reaching(redis.eval(WRITE, 1, at('dialog', key), revision, value, ttlMs, randomUUID()))) === 1
      );
    },
    delete: async (key) => {
      await reaching(redis.del(at('dialog', key)));
    },
    lock: async (key, ttlMs) => {
      const token = randomUUID();
      if ((await reaching(redis.eval(LOCK, 1, at('lock', key), token, ttlMs))) !== 1) return null;
      return {
        release: async () => {
          await reaching(redis.eval(RELEASE, 1, at('lock', key), token));
        },
      };
    },
    claimUpdate: async (key, leaseMs) => {
      const limits = [leaseMs, MAX_TRIES, UPDATE_KEPT_SECONDS];
      return claimOf(await reaching(redis.eval(CLAIM, 1, at('update', key), ...limits, randomUUID())));
    },
    finishUpdate: async (key) => {
      await reaching(redis.eval(FINISH, 1, at('update', key), UPDATE_KEPT_SECONDS));
    },
    // Redis forgets by itself.
    sweep: async () => undefined,
    close: async () => {
      redis.disconnect();
    },
  };
}

const CLAIMS = ['claimed', 'done', 'busy', 'poison'] as const;

/** The answers of `CLAIM`. Throws a TypeError for anything else: a fault of the script. */
function claimOf(answer: unknown): (typeof CLAIMS)[number] {
  const claim = CLAIMS.find((one) => one === answer);
  if (claim === undefined) throw new TypeError(`a claim of an update answers ${String(answer)}`);
  return claim;
}

function clientOf(redisUrl: string, silence: RedisSilence): Redis {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: 10_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 200, 2_000),
    ...asking(silence),
  });
  redis.on('error', () => undefined);
  return redis;
}

function unreachable(redisUrl: string, error: unknown): AppError<'QUEUE_UNREACHABLE'> {
  const host = URL.canParse(redisUrl) ? new URL(redisUrl).host : 'REDIS_URL';
  const why = error instanceof Error ? error.message : String(error);
  return new AppError('QUEUE_UNREACHABLE', { cause: `Redis at ${host}: ${why}` }, { cause: error });
}

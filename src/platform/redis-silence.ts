/** How long Redis may owe an answer before its connection is given up, in milliseconds. */
export type RedisSilence = {
  readonly askingMs: number;
  /** Where a command may rightly wait at the server: BullMQ's workers wait there for up to ten seconds. */
  readonly waitingMs: number;
};

export const REDIS_SILENCE: RedisSilence = { askingMs: 5_000, waitingMs: 15_000 };

/** An idle connection that nobody asks anything is watched by the operating system. */
const KEEP_ALIVE_MS = 30_000;

/**
 * What ioredis needs so that a connection that fell silent is dropped and made anew: a firewall that forgot it, or a host that
 * lost power, sends nothing, not even an end, and whoever waits there would wait for ever. What was sent and not answered is
 * sent once more on the new connection, so every command must be safe to arrive twice; a caller hears of it after two
 * silences at most.
 */
export function asking({ askingMs }: RedisSilence) {
  return { socketTimeout: askingMs, commandTimeout: 2 * askingMs, keepAlive: KEEP_ALIVE_MS };
}

/** The same for a connection whose commands wait at the server and are sent until they are answered. */
export function waiting({ waitingMs }: RedisSilence) {
  return { socketTimeout: waitingMs, commandTimeout: undefined, keepAlive: KEEP_ALIVE_MS };
}

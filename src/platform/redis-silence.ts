/** How long Redis may owe an answer before its connection is given up, in milliseconds. */
export type RedisSilence = {
  readonly askingMs: number;
  /** Where a command may rightly wait at the server: BullMQ's workers wait there for up to ten seconds. */
  readonly waitingMs: number;
};

export const REDIS_SILENCE: RedisSilence = { askingMs: 5_000, waitingMs: 15_000 };

/** The operating system watches an idle connection without requests. */
const KEEP_ALIVE_MS = 30_000;

/**
 * The options with which ioredis drops a connection that fell silent and makes it anew. A firewall that forgot it, or a host that lost
 * power, sends nothing, not even an end, so a caller there would wait for ever. A request without an answer is sent once more on the new
 * connection, so every command must be safe to arrive twice; a caller hears of it after two silences at most.
 */
export function asking({ askingMs }: RedisSilence) {
  return { socketTimeout: askingMs, commandTimeout: 2 * askingMs, keepAlive: KEEP_ALIVE_MS };
}

/** The same for a connection whose commands wait at the server and are sent until they are answered. */
export function waiting({ waitingMs }: RedisSilence) {
  return { socketTimeout: waitingMs, commandTimeout: undefined, keepAlive: KEEP_ALIVE_MS };
}

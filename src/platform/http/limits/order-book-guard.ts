import type { FastifyRequest } from 'fastify';
import { elapsedSince, markOf, NEVER } from '../../../core/time/elapsed.ts';
import type { IpBlocks } from '../../../modules/keys/store/ip-blocks-port.ts';
import type { OrderBookLimits } from '../../../modules/market/rules/terms.ts';
import type { Clock, Mark } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { ApiError } from '../errors/api-error.ts';
import { clientKey } from './client-key.ts';
import { createNeverBlocked } from './never-blocked.ts';

type GuardDeps = {
  readonly ipBlocks: IpBlocks;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
};

/** A block or a lift elsewhere is seen this soon. */
const REFRESH_MS = 5_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** Clients that are counted at the same time; a stream of made-up ones pushes out the longest unheard. */
const MAX_CLIENTS = 20_000;
/** The headers that a proxy adds. An untrusted peer that sends them is probably the operator's own proxy, forgotten. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

type Asked = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>;

export type OrderBookGuard = {
  /** Throws 403 IP_BLOCKED for a client that is blocked. */
  check(request: Asked): Promise<void>;
  /** Counts one call. Past a limit it throws: 403 and a block for good, or 429 where the address may be many people's. */
  count(request: Asked): Promise<void>;
};

/** Guards the order books as the specification has it: a client that passes a limit is blocked until an operator lifts it. */
export function createOrderBookGuard(
  { ipBlocks, clock, log }: GuardDeps,
  limits: OrderBookLimits,
  trustedProxies: readonly string[],
): OrderBookGuard {
  const isNeverBlocked = createNeverBlocked(trustedProxies);
  const calls = new Map<string, readonly Mark[]>();
  // A lift empties the counters too, or the next call would block again.
  const blocks = createBlockList({ ipBlocks, clock, log }, (client) => calls.delete(client));
  const refusal = (): ApiError =>
    new ApiError({
      status: 403,
      code: 'IP_BLOCKED',
      message: `this address asked for order books too often and is blocked for good; ${limits.contact === null ? 'the operator can lift it' : `write to ${limits.contact} to have it lifted`}`,
    });

  return {
    check: async ({ ip }) => {
      if (limits.blocks === 'off') return;
      if (await blocks.has(clientKey(ip))) throw refusal();
    },
    count: async ({ ip, headers, socket }) => {
      const client = clientKey(ip);
      const recent = [
        ...(calls.get(client) ?? []).filter((at) => elapsedSince(at, clock) < MINUTE_MS),
        markOf(clock),
      ];
      calls.delete(client);
      calls.set(client, recent.slice(-limits.perMinute - 1));
      if (calls.size > MAX_CLIENTS) {
        const [oldest] = calls.keys();
        if (oldest !== undefined) calls.delete(oldest);
      }
      const passed = passedLimit(recent, clock, limits);
      if (passed === null) return;
      const isForwarded =
        ip === socket.remoteAddress && FORWARDED.some((name) => headers[name] !== undefined);
      if (limits.blocks === 'off' || isNeverBlocked(ip) || isForwarded) {
        throw new ApiError({
          status: 429,
          code: 'RATE_LIMITED',
          message: `too many calls for order books: ${passed}; ask again in ${MINUTE_MS / SECOND_MS} s`,
          retryable: true,
          headers: { 'retry-after': String(MINUTE_MS / SECOND_MS) },
        });
      }
      await blocks.add({ client, since: clock.now(), reason: `order books: ${passed}` });
      log.warn({ client, passed }, 'blocked for good');
      throw refusal();
    },
  };
}

type BlockList = {
  has(client: string): Promise<boolean>;
  add(block: Parameters<IpBlocks['add']>[0]): Promise<void>;
};

/** The blocks as they were at most REFRESH_MS ago. */
function createBlockList({ ipBlocks, clock, log }: GuardDeps, lifted: (client: string) => void): BlockList {
  let blocked: ReadonlySet<string> = new Set();
  let readAt = NEVER;
  let reading: Promise<void> | null = null;

  const read = async (): Promise<void> => {
    try {
      const now = new Set((await ipBlocks.list()).map(({ client }) => client));
      for (const client of blocked) if (!now.has(client)) lifted(client);
      blocked = now;
      readAt = markOf(clock);
    } catch (err) {
      // A blocked client stays blocked; the next call asks again.
      log.warn({ err }, 'the blocks could not be read');
    } finally {
      reading = null;
    }
  };

  return {
    has: async (client) => {
      if (elapsedSince(readAt, clock) >= REFRESH_MS) {
        reading ??= read();
        await reading;
      }
      return blocked.has(client);
    },
    add: async (block) => {
      await ipBlocks.add(block);
      blocked = new Set([...blocked, block.client]);
    },
  };
}

function passedLimit(recent: readonly Mark[], clock: Clock, limits: OrderBookLimits): string | null {
  const inSecond = recent.filter((at) => elapsedSince(at, clock) < SECOND_MS).length;
  if (inSecond > limits.perSecond) return `more than ${limits.perSecond} in a second`;
  if (recent.length > limits.perMinute) return `more than ${limits.perMinute} in a minute`;
  return null;
}

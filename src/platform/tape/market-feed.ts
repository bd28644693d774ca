import pg from 'pg';
import { z } from 'zod';
import type { MarketChange, MarketFeed } from '../ports/market-feed.ts';

// SQL: LISTEN and NOTIFY.

/** Name of the channel on which every commit of the tape says which markets it touched. */
export const TAPE_CHANNEL = 'tape';
const RETRY_MS = 1_000;
const POLL_MS = 250;

/**
 * Hears of every commit of the tape over a connection of its own, opened for the first listener. While it is down, and for tapes behind a
 * pooler that passes no notices, listeners hear every 250 ms that something may have changed.
 */
export function createMarketFeed({ url }: { readonly url: string }): MarketFeed {
  const listeners = new Set<(change: MarketChange) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const tell = (change: MarketChange): void => {
    for (const listener of listeners) listener(change);
  };
  const connect = async (): Promise<void> => {
    if (closed) return;
    const own = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'tradepost' });
    client = own;
    const lost = (): void => {
      if (closed || client !== own) return;
      client = null;
      own.end().catch(() => undefined);
      poll(RETRY_MS / POLL_MS);
    };
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', ({ payload }) => tell(readChange(payload)));
    try {
      await own.connect();
      await own.query(`LISTEN ${TAPE_CHANNEL}`);
      // Earlier changes were not heard.
      tell({ kind: 'unknown' });
    } catch {
      lost();
    }
  };
  const poll = (left: number): void => {
    tell({ kind: 'unknown' });
    timer = setTimeout(() => (left > 1 ? poll(left - 1) : void connect()), POLL_MS);
    timer.unref();
  };
  return {
    listen: (change) => {
      listeners.add(change);
      if (client === null && timer === null) void connect();
      return () => void listeners.delete(change);
    },
    close: async () => {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

const CHANGE = z.object({
  t: z.record(z.string(), z.string()).optional(),
  r: z.record(z.string(), z.number()).optional(),
});

/** Another process's writes; any text that is not this program's own is an unknown change. */
function readChange(payload: string | undefined): MarketChange {
  try {
    const { t, r } = CHANGE.parse(JSON.parse(payload ?? ''));
    if (t !== undefined)
      return {
        kind: 'traded',
        newest: new Map(Object.entries(t).map(([id, newest]) => [Number(id), BigInt(newest)])),
      };
    if (r !== undefined)
      return {
        kind: 'retracted',
        trades: Object.entries(r).map(([id, marketId]) => ({ id: BigInt(id), marketId })),
      };
  } catch {
    // Not one of ours.
  }
  return { kind: 'unknown' };
}

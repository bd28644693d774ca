import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import type { GeyserRequest, GeyserServer, GeyserStream, OpenGeyser } from './client.ts';
import { readUpdate } from './read-update.ts';
import type { StreamWindow } from './stream-window.ts';

export type GeyserOptions = {
  readonly server: GeyserServer;
  readonly open: OpenGeyser;
  /** Called once per loss, with its reason in words. */
  readonly lost: (why: string) => void;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** A server tells a block every 400 ms and asks every 15 s whether we are there: longer silence is a dead connection. */
const SILENCE_MS = 30_000;
const FILTER_MS = 1_000;

/**
 * Keeps one stream open over every loss: the next one goes on behind the last block that came, and where the server no longer has that, it
 * begins at its newest. `named` gets each market that a block names, null after every loss.
 */
export function keepStreaming(
  { server, open, lost }: GeyserOptions,
  window: StreamWindow,
  markets: () => ReadonlySet<Address>,
  named: (market: Address | null) => void,
): { readonly isUp: () => boolean; readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isUp = false;
  let asked = '';
  let stream: GeyserStream | null = null;

  const request = (): GeyserRequest => {
    const wanted = markets();
    window.ask(wanted);
    asked = keyOf(wanted);
    return requestFor(wanted);
  };
  const renew = (): void => {
    if (isUp && keyOf(markets()) !== asked) stream?.write(request());
  };
  const take = (told: unknown): void => {
    const update = readUpdate(told);
    isUp = true;
    if (update.kind === 'ping') stream?.write({ ...request(), ping: { id: 1 } });
    for (const market of window.take(update)) named(market);
  };
  const once = (from: bigint | null): Promise<string> => {
    window.restart(from !== null);
    stream = open(server);
    stream.write({ ...request(), ...(from === null ? {} : { fromSlot: String(from) }) });
    return lossOf(stream, take);
  };
  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    let from: bigint | null = null;
    while (!signal.aborted) {
      const why = await once(from);
      // Blocks that the server has forgotten are asked for once and not again.
      from = isForgotten(why) ? null : isUp ? window.tip() : from;
      pauseMs = isUp ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      isUp = false;
      if (signal.aborted) return;
      lost(why);
      named(null);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  const renewing = setInterval(renew, FILTER_MS);
  return {
    isUp: () => isUp,
    stop: async () => {
      stopping.abort();
      clearInterval(renewing);
      stream?.destroy();
      await running;
    },
  };
}

/** The reason for a stream's end, in words; it is closed then. */
function lossOf(stream: GeyserStream, take: (told: unknown) => void): Promise<string> {
  return new Promise((resolve) => {
    const end = (why: string): void => {
      clearTimeout(silence);
      stream.destroy();
      resolve(why);
    };
    const silence = setTimeout(() => end('it is silent'), SILENCE_MS);
    stream.on('data', (told) => {
      silence.refresh();
      try {
        take(told);
      } catch (error) {
        end(wordsOf(error));
      }
    });
    stream.on('error', (error) => end(wordsOf(error)));
    stream.on('end', () => end('it was closed'));
  });
}

function requestFor(markets: ReadonlySet<Address>): GeyserRequest {
  const filter = { vote: false, accountInclude: [...markets] };
  return {
    // An empty list would mean all transactions.
    transactions: markets.size === 0 ? {} : { markets: filter },
    blocksMeta: { blocks: {} },
    commitment: 'CONFIRMED',
  };
}

function keyOf(markets: ReadonlySet<Address>): string {
  return [...markets].toSorted().join();
}

function isForgotten(why: string): boolean {
  return /out.?of.?range|from.?slot|not available/i.test(why);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { Chain } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { countFollowed, uncounted } from '../rpc-meter.ts';
import { createHotAccounts, type HotAccounts } from './hot-accounts.ts';
import { openWebSocket } from './web-socket.ts';

export type HotOptions = {
  /** Null = where the HTTP addresses say by convention. */
  readonly wsUrls: readonly string[] | null;
  /** Most pools that are followed at a time; 0 = none, and no connection is ever opened. */
  readonly pools: number;
  /** Older state is not served. */
  readonly maxAgeMs: number;
};

/**
 * `HotAccounts` over the nodes' web sockets, or null when none are wanted. The first connection is opened by the first pool
 * that is quoted; where no web socket answers, pools are read as if nothing of this were there.
 */
export function openHotAccounts(
  { wsUrls, pools, maxAgeMs }: HotOptions,
  deps: {
    readonly rpcUrls: readonly string[];
    readonly chain: Pick<Chain, 'accounts' | 'slotMs'>;
    readonly clock: Clock;
    readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>;
  },
): HotAccounts | null {
  if (pools === 0) return null;
  const hot = createHotAccounts({
    open: openWebSocket,
    urls: wsUrls ?? deps.rpcUrls.map(webSocketUrl),
    read: (accounts) => deps.chain.accounts(accounts),
    now: () => performance.now(),
    epochNow: () => deps.clock.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
    maxAgeMs,
    slotMs: () => deps.chain.slotMs(),
    limits: { pools },
    log: deps.log,
  });
  return {
    ...hot,
    snapshot: (accounts) => {
      const snapshot = hot.snapshot(accounts);
      if (snapshot !== null) countFollowed(accounts.length);
      return snapshot;
    },
    // The cost of following belongs to no quote.
    want: (pool, accounts) => uncounted(() => hot.want(pool, accounts)),
  };
}

/** As Solana's own client derives it: the same address, and the port above where one is named. */
export function webSocketUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.href;
}

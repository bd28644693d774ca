import type { ApiDeps, Host } from '../../src/compose/api-deps.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import { obeyDocument } from './obey-document.ts';
import { pageDeps } from './page-deps.ts';

const never = () => Promise.reject(new Error('not asked for in these tests'));

/** A host over its public pages and uploads, without a chain behind it. */
export function buildSite(
  host: Host,
  options: Partial<ApiDeps> = {},
  limits: { readonly requestTimeoutMs?: number; readonly trustedProxies?: readonly string[] } = {},
) {
  const { deps, metadata, advance } = pageDeps();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log };
  const app = createHost(
    {
      ...deps,
      buildSwap: never,
      quoteSwap: never,
      venues: [],
      senders: { list: [], tip: () => ({ kind: 'none' }) },
      genesisHash: async () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      rpcMeter: { measure: never },
      buildToken: never,
      walletHoldings: never,
      walletTrades: never,
      walletPnl: never,
      usage: { count: () => undefined, list: async () => [], flush: async () => undefined },
      log,
      ...options,
    },
    host,
    { trustedProxies: [], ...limits },
  );
  return { app: obeyDocument(app, host.kind), metadata, advance };
}

export const OPEN = { kind: 'open', ratePerSecond: 1_000, burst: 1_000 } as const;

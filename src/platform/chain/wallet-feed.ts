import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import type { WalletFeed } from '../ports/wallet-feed.ts';
import { createEndpoint } from './endpoint.ts';
import { createEndpointPool } from './endpoint-pool.ts';
import type { OpenSocket } from './hot/web-socket.ts';
import { publicKey } from './instruction-codec.ts';
import { keepSubscribed } from './transaction-source/subscribe.ts';

/** Providers allow 50 to 100 subscriptions on a connection. */
const PER_SOCKET = 100;

type Line = { readonly accounts: string; readonly stop: () => void };

/**
 * `WalletFeed` over Solana JSON-RPC: one `logsSubscribe` per account, a hundred to a connection. `accounts` keep their place, so
 * that a new one, which comes last, opens one connection anew and not all.
 */
export function createWalletFeed(options: {
  readonly urls: readonly string[];
  /** Empty = no hints. */
  readonly wsUrls: readonly string[];
  readonly open?: OpenSocket;
}): WalletFeed {
  let lines: Line[] = [];
  let hint: (account: Address) => void = () => undefined;

  const lineOf = (accounts: readonly Address[], index: number): Line => {
    const url = options.wsUrls[index % options.wsUrls.length];
    if (url === undefined) return { accounts: accounts.join(), stop: () => undefined };
    const { stop } = keepSubscribed(
      url,
      () =>
        accounts.map((account) => ({
          method: 'logsSubscribe',
          params: [{ mentions: [account] }, { commitment: 'confirmed' }],
        })),
      (message) => {
        const account = message === null ? undefined : accounts[message];
        if (account !== undefined) hint(account);
      },
      options.open,
    );
    return { accounts: accounts.join(), stop };
  };

  return {
    follow: (accounts) => {
      const wanted: (readonly Address[])[] = [];
      for (let at = 0; at < accounts.length; at += PER_SOCKET)
        wanted.push(accounts.slice(at, at + PER_SOCKET));
      const next = wanted.map((group, index) => {
        const old = lines[index];
        if (old?.accounts === group.join()) return old;
        old?.stop();
        return lineOf(group, index);
      });
      for (const old of lines.slice(next.length)) old.stop();
      lines = next;
    },
    onHint: (listener) => {
      hint = listener;
    },
    recent: createRecent(options.urls),
    stop: () => {
      for (const { stop } of lines) stop();
      lines = [];
    },
  };
}

function createRecent(urls: readonly string[]): WalletFeed['recent'] {
  const pool = createEndpointPool(
    urls.map((url) => createEndpoint(url, 15_000)),
    { now: () => performance.now(), sleep: (ms) => pause(ms) },
  );
  return async (account, { until, before, limit }) => {
    const entries = await pool.read(({ connection }) =>
      connection.getSignaturesForAddress(
        publicKey(account),
        { limit, ...(until === null ? {} : { until }), ...(before === null ? {} : { before }) },
        'confirmed',
      ),
    );
    return entries.map(({ signature, err, blockTime }) => ({
      signature,
      failed: err !== null,
      at: typeof blockTime === 'number' ? blockTime * 1_000 : null,
    }));
  };
}

import { expect, it } from 'vitest';
import type { OpenSocket, SocketEvents } from '../../../src/platform/chain/hot/web-socket.ts';
import { createWalletFeed } from '../../../src/platform/chain/wallet-feed.ts';
import { newAddress } from '../../conformance/store-rows.ts';

/** Sockets whose other side is the test. */
function sockets() {
  const opened: { url: string; events: SocketEvents; sent: string[]; ended: boolean }[] = [];
  const open: OpenSocket = (url, events) => {
    const socket = { url, events, sent: [] as string[], ended: false };
    opened.push(socket);
    return {
      send: (message) => socket.sent.push(message),
      ping: () => undefined,
      end: () => {
        socket.ended = true;
      },
    };
  };
  return { opened, open };
}

it('subscribes to the logs of each account, a hundred to a connection, and names the account of a notice', () => {
  const { opened, open } = sockets();
  const feed = createWalletFeed({ urls: ['http://127.0.0.1:1'], wsUrls: ['ws://a', 'ws://b'], open });
  const accounts = Array.from({ length: 150 }, () => newAddress());
  const hints: string[] = [];
  feed.onHint((account) => hints.push(account));
  feed.follow(accounts);
  expect(opened.map(({ url }) => url)).toEqual(['ws://a', 'ws://b']);
  for (const { events } of opened) events.opened();
  expect(opened.map(({ sent }) => sent.length)).toEqual([100, 50]);
  expect(JSON.parse(opened[1]!.sent[7]!)).toMatchObject({
    method: 'logsSubscribe',
    params: [{ mentions: [accounts[107]] }, { commitment: 'confirmed' }],
  });
  opened[1]!.events.text(JSON.stringify({ id: 7, result: 900 }));
  opened[1]!.events.text(JSON.stringify({ method: 'logsNotification', params: { subscription: 900 } }));
  opened[1]!.events.text(JSON.stringify({ method: 'logsNotification', params: { subscription: 901 } }));
  expect(hints).toEqual([accounts[107]]);
});

it('opens one connection anew for a new account, and ends what nobody follows', () => {
  const { opened, open } = sockets();
  const feed = createWalletFeed({ urls: ['http://127.0.0.1:1'], wsUrls: ['ws://a'], open });
  const accounts = Array.from({ length: 101 }, () => newAddress());
  feed.follow(accounts);
  feed.follow([...accounts, newAddress()]);
  expect(opened.map(({ ended }) => ended)).toEqual([false, true, false]);
  feed.follow(accounts.slice(0, 100));
  expect(opened.map(({ ended }) => ended)).toEqual([false, true, true]);
  feed.stop();
  expect(opened.every(({ ended }) => ended)).toBe(true);
});

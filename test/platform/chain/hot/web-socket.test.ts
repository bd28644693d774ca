import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  MAX_MESSAGE_BYTES,
  openWebSocket,
  type Socket,
} from '../../../../src/platform/chain/hot/web-socket.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(greet: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', greet);
  ends.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/path?key=1`;
}

/** Opens one and notes what it tells; `until` resolves with the first entry that matches. */
function dial(url: string) {
  const told: string[] = [];
  const waiting: { readonly match: RegExp; readonly resolve: (line: string) => void }[] = [];
  const note = (line: string): void => {
    told.push(line);
    for (const { match, resolve } of waiting) if (match.test(line)) resolve(line);
  };
  const socket: Socket = openWebSocket(url, {
    opened: () => note('opened'),
    text: (message) => note(`text ${message}`),
    pong: (tag) => note(`pong ${tag}`),
    closed: (reason) => note(`closed ${reason}`),
  });
  ends.push(socket.end);
  const until = (match: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const known = told.find((line) => match.test(line));
      if (known === undefined) waiting.push({ match, resolve });
      else resolve(known);
    });
  return { socket, told, until };
}

describe('openWebSocket', () => {
  it('exchanges text of every length and keeps pings in their place among messages', async () => {
    const url = await serve((socket) => {
      socket.on('message', (raw: Buffer) => socket.send(raw.toString('utf8')));
    });
    const { socket, told, until } = dial(url);
    await until(/opened/);
    const lengths = [0, 1, 125, 126, 65_535, 65_536, 300_000];
    for (const length of lengths) socket.send('ü'.repeat(length / 2) + 'x'.repeat(length % 2));
    socket.ping('7');
    await until(/pong 7/);
    socket.send('last');
    await until(/text last/);
    expect(told.map((line) => Buffer.byteLength(line) - 5).slice(1, 8)).toEqual(
      lengths.map((length) => 2 * Math.floor(length / 2) + (length % 2)),
    );
  });

  it('puts messages in pieces together, and answers pings in between', async () => {
    let answered: () => void = () => undefined;
    const pong = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const url = await serve((socket) => {
      socket.on('pong', () => answered());
      socket.send('one ', { fin: false });
      socket.ping('are you there');
      socket.send('two ', { fin: false });
      socket.send('three', { fin: true });
    });
    expect(await dial(url).until(/text/)).toBe('text one two three');
    await pong;
  });

  it('tells once that it is over: closed, cut off, refused, or never there', async () => {
    const closing = dial(await serve((socket) => socket.close(1001)));
    expect(await closing.until(/closed/)).toContain('1001');
    const cut = dial(await serve((socket) => socket.terminate()));
    await cut.until(/closed/);
    const plain = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    ends.push(() => plain.close());
    const { port } = plain.address() as AddressInfo;
    const refused = dial(`ws://127.0.0.1:${port}/`);
    expect(await refused.until(/closed/)).toBe('closed HTTP 404');
    const nobody = dial('ws://127.0.0.1:1/');
    expect(await nobody.until(/closed/)).toBe('closed ECONNREFUSED');
    for (const { told } of [closing, cut, refused, nobody]) {
      expect(told.filter((line) => line.startsWith('closed'))).toHaveLength(1);
    }
  });

  it('says nothing more once it was ended, and refuses who cannot prove to be a web-socket server', async () => {
    const url = await serve((socket) => socket.send('hello'));
    const ended = dial(url);
    await ended.until(/text/);
    ended.socket.end();
    ended.socket.send('into the void');
    expect(ended.told).toEqual(['opened', 'text hello']);
    const liar = createServer();
    liar.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      liar.closeAllConnections();
      liar.close();
    });
    const fooled = dial(`ws://127.0.0.1:${(liar.address() as AddressInfo).port}/`);
    expect(await fooled.until(/closed/)).toMatch(/^closed .*Sec-WebSocket-Accept/);
  });

  it('is over with the first message that is too long or no text, and tells nothing of it', async () => {
    const long = dial(
      await serve((socket) => {
        socket.send('x'.repeat(MAX_MESSAGE_BYTES));
        socket.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
        socket.send('later');
      }),
    );
    expect(await long.until(/closed/)).toBe('closed WS_ERR_UNSUPPORTED_MESSAGE_LENGTH');
    expect(long.told.map(({ length }) => length - 'text '.length)[1]).toBe(MAX_MESSAGE_BYTES);
    const bytes = dial(
      await serve((socket) => {
        socket.send(Buffer.from('x'));
        socket.send('later');
      }),
    );
    expect(await bytes.until(/closed/)).toBe('closed it sent bytes instead of text');
    for (const { told } of [long, bytes]) expect(told).not.toContain('text later');
  });
});

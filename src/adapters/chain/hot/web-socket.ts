import { createHash, randomBytes } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { createFrameReader, encodeFrame, OPCODE } from './web-socket-frames.ts';

/** What a socket tells. `closed` is the last of it and comes exactly once, also when there never was a connection. */
export type SocketEvents = {
  readonly opened: () => void;
  readonly text: (message: string) => void;
  /** The other side has read everything up to the ping of this tag, and what it sent before answering has been told. */
  readonly pong: (tag: string) => void;
  readonly closed: (reason: string) => void;
};

export type Socket = {
  readonly send: (message: string) => void;
  readonly ping: (tag: string) => void;
  /** Ends it without `closed` being told. */
  readonly end: () => void;
};

export type OpenSocket = (url: string, events: SocketEvents) => Socket;

const CONNECT_TIMEOUT_MS = 10_000;
/** What may wait to be sent: a server that does not read is a server that is gone. */
const MAX_UNSENT_BYTES = 1_000_000;
/** RFC 6455 §1.3. */
const HANDSHAKE_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * A web-socket client by RFC 6455, as much of it as a subscription needs: text both ways, pings with an answer, a bound on
 * the size of a message. web3.js has a client too, which hides what this is here for: that a connection was lost, that a
 * subscription was accepted, and whether everything on the way has been read. Whatever breaks the protocol closes it.
 */
export const openWebSocket: OpenSocket = (url, events) => {
  const target = new URL(url);
  const secure = target.protocol === 'wss:';
  const key = randomBytes(16).toString('base64');
  const accept = createHash('sha1')
    .update(key + HANDSHAKE_SUFFIX)
    .digest('base64');
  let stream: Duplex | null = null;
  let over = false;

  const finish = (reason: string | null): void => {
    if (over) return;
    over = true;
    clearTimeout(deadline);
    stream?.destroy();
    handshake.destroy();
    if (reason !== null) events.closed(reason);
  };
  const write = (opcode: number, payload: Buffer): void => {
    if (over || stream === null) return;
    stream.write(encodeFrame(opcode, payload, randomBytes(4)));
    if (stream.writableLength > MAX_UNSENT_BYTES) finish('it does not read what it is sent');
  };

  const read = createFrameReader({
    text: (message) => {
      if (!over) events.text(message);
    },
    ping: (payload) => write(OPCODE.pong, payload),
    pong: (payload) => {
      if (!over) events.pong(payload.toString('latin1'));
    },
    close: (code) => finish(`closed by the other side with ${code}`),
    broken: finish,
  });

  const handshake = (secure ? requestHttps : requestHttp)({
    protocol: secure ? 'https:' : 'http:',
    hostname: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port === '' ? (secure ? 443 : 80) : target.port,
    path: `${target.pathname}${target.search}`,
    ...(target.username === ''
      ? {}
      : { auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}` }),
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    },
  });
  const deadline = setTimeout(() => finish('no connection in time'), CONNECT_TIMEOUT_MS);
  handshake.on('error', (error) => finish('code' in error ? String(error.code) : error.message));
  handshake.on('response', (response) => finish(`HTTP ${response.statusCode ?? 0}`));
  handshake.on('upgrade', (response, socket, head) => {
    stream = socket;
    if (over) {
      socket.destroy();
      return;
    }
    if (response.headers['sec-websocket-accept'] !== accept) {
      finish('it is no web-socket server');
      return;
    }
    clearTimeout(deadline);
    socket.on('error', (error) => finish('code' in error ? String(error.code) : error.message));
    socket.on('close', () => finish('the connection was lost'));
    socket.on('data', (bytes: Buffer) => {
      if (!over) read(bytes);
    });
    events.opened();
    if (head.length > 0) read(head);
  });
  handshake.end();

  return {
    send: (message) => write(OPCODE.text, Buffer.from(message)),
    ping: (tag) => write(OPCODE.ping, Buffer.from(tag, 'latin1')),
    end: () => finish(null),
  };
};

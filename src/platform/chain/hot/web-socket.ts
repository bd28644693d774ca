import { type RawData, WebSocket } from 'ws';

/** A socket's events. `closed` is the last of it and comes exactly once, also when there never was a connection. */
export type SocketEvents = {
  readonly opened: () => void;
  readonly text: (message: string) => void;
  /** The other side has read everything up to the ping of this tag, and its messages from before the answer have been handed over. */
  readonly pong: (tag: string) => void;
  readonly closed: (reason: string) => void;
};

export type Socket = {
  readonly send: (message: string) => void;
  readonly ping: (tag: string) => void;
  /** Ends it without a call of `closed`. */
  readonly end: () => void;
};

export type OpenSocket = (url: string, events: SocketEvents) => Socket;

const CONNECT_TIMEOUT_MS = 10_000;
/** The most that may wait to be sent: a server that does not read is a server that is gone. */
const MAX_UNSENT_BYTES = 1_000_000;
/** Above the size of any account of a pool as base64; a longer message ends the connection before it is held whole. */
export const MAX_MESSAGE_BYTES = 1_500_000;

/**
 * A web socket that reports the two facts that subscriptions need: that the connection was lost, and whether everything on the way has been
 * read. web3.js's own client hides both. Any break of the protocol closes it.
 */
export const openWebSocket: OpenSocket = (url, events) => {
  const socket = new WebSocket(url, {
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    // Unpacking takes its own time, and a pong would be reported before the messages that came ahead of it.
    perMessageDeflate: false,
  });
  let over = false;
  const finish = (reason: string | null): void => {
    if (over) return;
    over = true;
    socket.terminate();
    if (reason !== null) events.closed(reason);
  };
  const unlessOver = (work: () => void): void => {
    if (!over && socket.readyState === WebSocket.OPEN) work();
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) finish('it does not read what it is sent');
  };

  // Stays after the end: terminating a socket that is still connecting causes an error, which no other code would hear.
  socket.on('error', (error) => finish('code' in error ? String(error.code) : error.message));
  socket.on('unexpected-response', (_, response) => finish(`HTTP ${response.statusCode ?? 0}`));
  socket.on('close', (code) => finish(`closed by the other side with ${code}`));
  socket.on('open', () => {
    if (!over) events.opened();
  });
  socket.on('pong', (payload) => {
    if (!over) events.pong(payload.toString('latin1'));
  });
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) finish('it sent bytes instead of text');
    else if (!over) events.text(data.toString());
  });

  return {
    send: (message) => unlessOver(() => socket.send(message)),
    ping: (tag) => unlessOver(() => socket.ping(Buffer.from(tag, 'latin1'))),
    end: () => finish(null),
  };
};

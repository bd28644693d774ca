import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FaultGate } from './faults/fault-gate.ts';
import { assertLoopback, hostIsLocal } from './loopback.ts';
import type { PluginRoutes } from './plugin.ts';
import { type Dispatch, failure, success } from './rpc/dispatch.ts';
import { isRecord } from './rpc/params.ts';
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from './rpc/rpc-error.ts';
import type { Subscriptions } from './subscriptions.ts';

const MAX_BODY_BYTES = 5_000_000;
const KEEP_ALIVE_MS = 65_000;

export type ServerDeps = {
  readonly host: string;
  readonly port: number;
  /** Where web-socket clients that only know the HTTP URL look: undefined tries HTTP port + 1, null does not. */
  readonly wsPort: number | null | undefined;
  readonly dispatch: Dispatch;
  /** Comes before `dispatch` when this chain is to misbehave; null on an ordinary one. */
  readonly faults: FaultGate | null;
  readonly subscriptions: Subscriptions;
  /** By `GET /<plug-in>/<path>` and `POST …`. */
  readonly routes: PluginRoutes;
  readonly log: (line: string) => void;
};

export interface ChainServer {
  readonly port: number;
  /** The second web-socket port, null when it could not be had. The first is the HTTP port. */
  readonly wsPort: number | null;
  stop(): Promise<void>;
}

/** Serves JSON-RPC, the plug-in's routes and web sockets on loopback. Rejects when the port is taken. */
export async function startServer(deps: ServerDeps): Promise<ChainServer> {
  assertLoopback(deps.host, 'The local chain');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  sockets.on('connection', (socket) => serveSocket(socket, deps.subscriptions));
  const http = createServer((request, response) => {
    serveHttp(request, response, portOf(http), deps).catch((error: unknown) => {
      // A client that hangs up midway is no news; anything else is a bug that must not take the chain down.
      if (!request.destroyed) deps.log(`HTTP request failed: ${String(error)}`);
      response.destroy();
    });
  });
  http.keepAliveTimeout = KEEP_ALIVE_MS;
  acceptSockets(http, sockets);
  await listen(http, deps.port, deps.host);
  const port = portOf(http);
  const second = await startSocketPort(deps, port, sockets);
  return {
    port,
    wsPort: second === null ? null : portOf(second),
    stop: async () => {
      for (const client of sockets.clients) client.terminate();
      await Promise.all([close(http), second === null ? undefined : close(second)]);
    },
  };
}

async function startSocketPort(
  deps: ServerDeps,
  port: number,
  sockets: WebSocketServer,
): Promise<Server | null> {
  if (deps.wsPort === null || deps.wsPort === port) return null;
  const server = createServer((_, response) => {
    response.writeHead(426).end();
  });
  acceptSockets(server, sockets);
  try {
    await listen(server, deps.wsPort ?? port + 1, deps.host);
    return server;
  } catch (error) {
    // web3.js guesses this port from the HTTP one; a caller that passes the web-socket URL does not need it.
    if (deps.wsPort === undefined) return null;
    throw error;
  }
}

async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  deps: ServerDeps,
): Promise<void> {
  if (!hostIsLocal(request, port)) return end(response, 403, 'text/plain', 'Host is not this machine.\n');
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (request.method === 'GET' && path === '/health') return end(response, 200, 'text/plain', 'ok');
  const route = deps.routes[`${request.method} ${path}`];
  if (request.method === 'GET' && route !== undefined) return endJson(response, route(''));
  if (request.method !== 'POST') return end(response, 405, 'text/plain', 'Expected a POST of JSON.\n');
  // A page of another site can post plain text anywhere without asking; JSON it cannot, since no CORS answer is given.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return end(response, 415, 'text/plain', 'Expected content-type: application/json.\n');
  }
  const body = await readBody(request);
  if (body === null) return end(response, 413, 'text/plain', `Expected at most ${MAX_BODY_BYTES} bytes.\n`);
  if (route !== undefined) return endJson(response, route(body));
  if (path === '/chaos' && deps.faults !== null) return endJson(response, deps.faults.control(body));
  if (path === '/direct') return endAnswer(response, deps.dispatch(body));
  if (path !== '/')
    return end(
      response,
      404,
      'text/plain',
      `Expected ${['POST /', ...Object.keys(deps.routes)].join(', ')}.\n`,
    );
  if (deps.faults === null) return endAnswer(response, deps.dispatch(body));
  const fate = await deps.faults.answer(body);
  if (fate.kind === 'answer') return endAnswer(response, fate.body);
  if (fate.kind === 'page') return end(response, 200, 'text/html', '<h1>Under maintenance</h1>\n');
  if (fate.kind === 'status') {
    if (fate.retryAfterS !== undefined) response.setHeader('retry-after', fate.retryAfterS);
    return end(response, fate.status, 'text/plain', 'A planned fault.\n');
  }
  request.socket.resetAndDestroy();
}

function acceptSockets(server: Server, sockets: WebSocketServer): void {
  server.on('upgrade', (request, socket, head) => {
    // Browsers name the page's origin: a foreign page must not read this chain through the visitor's machine.
    const { origin } = request.headers;
    const foreign = origin !== undefined && !isLocalOrigin(origin);
    if (!hostIsLocal(request, portOf(server)) || foreign) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  });
}

function isLocalOrigin(origin: string): boolean {
  return /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(origin);
}

function serveSocket(socket: WebSocket, subscriptions: Subscriptions): void {
  const subscriber = { send: (text: string) => socket.send(text) };
  socket.on('close', () => subscriptions.drop(subscriber));
  socket.on('error', () => socket.terminate());
  socket.on('message', (raw: Buffer) => {
    let request: unknown;
    try {
      request = JSON.parse(raw.toString('utf8'));
    } catch {
      socket.send(failure(null, new RpcError(PARSE_ERROR, 'Parse error: the message is not JSON')));
      return;
    }
    for (const one of Array.isArray(request) ? request : [request])
      answerSocket(one, subscriber, subscriptions);
  });
}

function answerSocket(
  request: unknown,
  subscriber: { send(text: string): void },
  subscriptions: Subscriptions,
): void {
  if (!isRecord(request) || typeof request['method'] !== 'string') {
    subscriber.send(
      failure(null, new RpcError(INVALID_REQUEST, 'Invalid request: expected { id, method, params }')),
    );
    return;
  }
  // Without an id it is a notification: web3.js keeps its socket alive with such pings.
  const { id, method, params } = request;
  if (id === undefined) return;
  try {
    subscriber.send(success(id, subscriptions.call(subscriber, method, Array.isArray(params) ? params : [])));
    subscriptions.afterAnswer();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    subscriber.send(failure(id, error));
  }
}

/** Null for a body that is too long. By events: an async iterator per request is dearer than most answers. */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        chunks.length = 0;
        request.pause();
        resolve(null);
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the client hung up')));
  });
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function endAnswer(response: ServerResponse, answer: string | null): void {
  if (answer === null) end(response, 204, 'text/plain', '');
  else end(response, 200, 'application/json', answer);
}

function endJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly body: unknown },
): void {
  end(response, answer.status, 'application/json', JSON.stringify(answer.body));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

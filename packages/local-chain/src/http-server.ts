import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { assertLoopback, hostIsLocal } from './loopback.ts';

export const MAX_BODY_BYTES = 5_000_000;
const KEEP_ALIVE_MS = 65_000;

export type HttpServerDeps = {
  /** The subject of a refusal to listen. */
  readonly what: string;
  readonly host: string;
  readonly port: number;
  /** Where web-socket clients that only know the HTTP URL look: undefined tries HTTP port + 1, null does not. */
  readonly wsPort: number | null | undefined;
  /** Its request named this machine. A rejection ends the request. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly onSocket: (socket: WebSocket) => void;
  readonly log: (line: string) => void;
};

export interface HttpServer {
  readonly port: number;
  /** The second web-socket port, null when it could not be had. The first is the HTTP port. */
  readonly wsPort: number | null;
  stop(): Promise<void>;
}

/** Serves HTTP and web sockets on loopback, and only for requests that name this machine. Rejects when the port is taken. */
export async function startHttpServer(deps: HttpServerDeps): Promise<HttpServer> {
  assertLoopback(deps.host, deps.what);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  sockets.on('connection', deps.onSocket);
  const http = createServer((request, response) => {
    if (!hostIsLocal(request, portOf(http)))
      return end(response, 403, 'text/plain', 'Host is not this machine.\n');
    deps.onRequest(request, response).catch((error: unknown) => {
      // A client that hangs up midway is no news; anything else is a bug that must not take the server down.
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
  deps: HttpServerDeps,
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

/** The body of a POST of JSON. Null when the request was answered already with a refusal: another method or type, or too long. */
export async function readJsonPost(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | null> {
  if (request.method !== 'POST') {
    end(response, 405, 'text/plain', 'Expected a POST of JSON.\n');
    return null;
  }
  // A page of another site can post plain text anywhere without asking; JSON it cannot, since no CORS answer is given.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    end(response, 415, 'text/plain', 'Expected content-type: application/json.\n');
    return null;
  }
  const body = await readBody(request);
  if (body === null) end(response, 413, 'text/plain', `Expected at most ${MAX_BODY_BYTES} bytes.\n`);
  return body;
}

/** `http://` and `ws://` of a server at this host. */
export function urlsOf(host: string, port: number): { readonly rpcUrl: string; readonly wsUrl: string } {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { rpcUrl: `http://${authority}`, wsUrl: `ws://${authority}` };
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

export function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
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

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mcp, PARSE_ERROR, VERSIONS } from './protocol.ts';
import { isObject } from './service.ts';

const LARGEST_BODY = 1024 * 1024;
const MOST_SESSIONS = 100;
const LOCAL = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type HttpServer = { readonly url: string; readonly close: () => Promise<void> };

/**
 * Serves `/mcp` on this machine alone (Streamable HTTP with plain JSON answers, no event stream). A session begins with `initialize`; the
 * oldest of more than 100 ends. A request from another site's page is refused: its Origin or its Host is not of this machine.
 */
export async function serveHttp(open: () => Mcp, port: number): Promise<HttpServer> {
  const sessions = new Map<string, Mcp>();
  const server = createServer((request, response) => {
    answer(request, response, open, sessions).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'the server failed');
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  open: () => Mcp,
  sessions: Map<string, Mcp>,
): Promise<void> {
  const { host, origin } = request.headers;
  if (!isLocal(`http://${host ?? ''}`) || (origin !== undefined && !isLocal(origin)))
    return refuse(response, 403, 'expected a Host and an Origin of this machine');
  if (request.url !== '/mcp') return refuse(response, 404, 'expected /mcp');
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !VERSIONS.some((one) => one === version))
    return refuse(response, 400, `mcp-protocol-version: expected one of ${VERSIONS.join(', ')}`);
  const id = String(request.headers['mcp-session-id'] ?? '');
  if (request.method === 'DELETE') {
    response.writeHead(sessions.delete(id) ? 204 : 404).end();
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST, DELETE');
    return refuse(response, 405, 'expected POST');
  }
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'expected content-type application/json');
  const body = await bodyOf(request);
  if (body === null) return refuse(response, 413, 'expected at most 1 MiB');
  const message = jsonOf(body);
  if (message === undefined) return send(response, 400, PARSE_ERROR);
  return isObject(message) && message['method'] === 'initialize'
    ? begin(response, open(), message, sessions)
    : go(response, sessions.get(id), message);
}

async function begin(
  response: ServerResponse,
  mcp: Mcp,
  message: unknown,
  sessions: Map<string, Mcp>,
): Promise<void> {
  const id = randomUUID();
  sessions.set(id, mcp);
  const [oldest] = sessions.keys();
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  response.setHeader('mcp-session-id', id);
  send(response, 200, await mcp.handle(message));
}

async function go(response: ServerResponse, mcp: Mcp | undefined, message: unknown): Promise<void> {
  if (mcp === undefined)
    return refuse(response, 404, 'mcp-session-id: expected that of the answer to initialize');
  const reply = await mcp.handle(message);
  if (reply === null) response.writeHead(202).end();
  else send(response, 200, reply);
}

function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && LOCAL.has(hostname);
}

/** null beyond the limit; the rest is read and thrown away. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { jsonrpc: '2.0', id: null, error: { code: -32_600, message } });
}

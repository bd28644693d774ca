import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { FaultGate } from './faults/fault-gate.ts';
import { end, type HttpServer, type HttpServerDeps, readJsonPost, startHttpServer } from './http-server.ts';
import type { PluginRoutes } from './plugin.ts';
import { type Dispatch, failure, success } from './rpc/dispatch.ts';
import { isRecord } from './rpc/params.ts';
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from './rpc/rpc-error.ts';
import type { Subscriptions } from './subscriptions.ts';

export type ServerDeps = Pick<HttpServerDeps, 'host' | 'port' | 'wsPort' | 'log'> & {
  readonly dispatch: Dispatch;
  /** Comes before `dispatch` when this chain is to misbehave; null on an ordinary one. */
  readonly faults: FaultGate | null;
  readonly subscriptions: Subscriptions;
  /** By `GET /<plug-in>/<path>` and `POST …`. */
  readonly routes: PluginRoutes;
};

/** Serves JSON-RPC, the plug-in's routes and web sockets on loopback. Rejects when the port is taken. */
export function startServer(deps: ServerDeps): Promise<HttpServer> {
  return startHttpServer({
    ...deps,
    what: 'The local chain',
    onRequest: (request, response) => serveHttp(request, response, deps),
    onSocket: (socket) => serveSocket(socket, deps.subscriptions),
  });
}

async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  deps: ServerDeps,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (request.method === 'GET' && path === '/health') return end(response, 200, 'text/plain', 'ok');
  const route = deps.routes[`${request.method} ${path}`];
  if (request.method === 'GET' && route !== undefined) return endJson(response, route(''));
  const body = await readJsonPost(request, response);
  if (body === null) return;
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

export function endAnswer(response: ServerResponse, answer: string | null): void {
  if (answer === null) end(response, 204, 'text/plain', '');
  else end(response, 200, 'application/json', answer);
}

function endJson(
  response: ServerResponse,
  answer: { readonly status: number; readonly body: unknown },
): void {
  end(response, answer.status, 'application/json', JSON.stringify(answer.body));
}

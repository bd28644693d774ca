import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/** What the server does with one call: a JSON-RPC body, a raw HTTP answer, a torn connection, or silence. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | 'hang-up'
  | 'silence';

/** An RPC endpoint on loopback whose answers the test writes; it records what arrived. */
export async function startScriptedRpc(answer: (call: RpcCall, count: number) => Reply) {
  const calls: RpcCall[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method, params, id } = JSON.parse(body) as RpcCall & { id: string };
      calls.push({ method, params });
      write(request, response, id, answer({ method, params }, calls.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/?api-key=SECRET`,
    label: `127.0.0.1:${port}`,
    calls,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function write(request: IncomingMessage, response: ServerResponse, id: string, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'hang-up') {
    request.socket.destroy();
    return;
  }
  if ('status' in reply) {
    response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
    return;
  }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** An address on loopback where nothing listens any more. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };
/** What a lie makes of a true result; the method and its parameters name the question. */
export type Lie = (call: Call, result: unknown) => unknown;

/** A node of another host that answers as the real one does, until it is given a lie. */
export async function startLyingNode(rpcUrl: string) {
  let lie: Lie = (_call, result) => result;
  let isDown = false;
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (isDown) {
        response.destroy();
        return;
      }
      void answer(Buffer.concat(parts).toString()).then(
        (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
        () => response.destroy(),
      );
    });
  });
  async function answer(body: string): Promise<string> {
    const real = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const told = (await real.json()) as { result?: unknown };
    return JSON.stringify(
      'result' in told ? { ...told, result: lie(JSON.parse(body) as Call, told.result) } : told,
    );
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell: (next: Lie): void => {
      lie = next;
    },
    down: (next: boolean): void => {
      isDown = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

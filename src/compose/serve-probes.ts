import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '../core/errors/listen-problem.ts';
import { createPartsCheck, type PartChecks } from '../modules/operations/use/ask-parts.ts';

export type Probes = { readonly port: number; readonly stop: () => Promise<void> };

/**
 * The two questions that a supervisor asks any role. `/livez`: 200 while the process runs its loop. `/readyz`: 200 while everything that
 * this role needs answers, else 503 with the parts that do not. Served before the roles are up, and `/readyz` is 503 until `checks` were
 * handed over. Throws CONFIG_INVALID when host or port cannot be had.
 */
export async function serveProbes(options: {
  readonly host: string;
  readonly port: number;
  readonly steadyMs: () => number;
}): Promise<Probes & { readonly ready: (checks: PartChecks) => void }> {
  let askParts: ReturnType<typeof createPartsCheck> | null = null;
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(`${JSON.stringify(body)}\n`);
    };
    const path = request.url?.split('?')[0];
    if (path === '/livez') return answer(200, { status: 'ok' });
    if (path !== '/readyz') return answer(404, { error: 'there are /livez and /readyz' });
    if (askParts === null) return answer(503, { status: 'starting' });
    void askParts().then(({ isWell, parts }) =>
      answer(isWell ? 200 : 503, { status: isWell ? 'ok' : 'down', ...parts }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        listenProblem(cause, {
          what: 'the health endpoint',
          port: options.port,
          portVariable: 'HEALTH_PORT',
          another: 'Give each process a port of its own, or leave HEALTH_PORT empty.',
          host: options.host,
          hostVariable: 'HEALTH_HOST',
        }),
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server.address()),
    ready: (checks) => {
      askParts = createPartsCheck(checks, options.steadyMs);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

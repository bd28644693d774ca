import type { FastifyInstance } from 'fastify';
import { createPartsCheck, type PartChecks } from '../../modules/operations/use/ask-parts.ts';

/**
 * `GET /health`: 200 while every part answers, 503 with the names of those that do not, within `patienceMs`. Says nothing else about the
 * inside. `network`: this process's measurements of the network, which anybody can make, with their age.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: PartChecks,
  steadyMs: () => number,
  { patienceMs, network }: { readonly patienceMs?: number; readonly network?: () => object } = {},
): void {
  const askParts = createPartsCheck(checks, steadyMs, patienceMs);
  app.get('/health', async (_request, reply) => {
    const { isWell, parts } = await askParts();
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: isWell ? 'ok' : 'down',
        ...parts,
        ...(network === undefined ? {} : { network: network() }),
      });
  });
}

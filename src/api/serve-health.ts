import type { FastifyInstance } from 'fastify';

/** One thing that the desk stands on: resolves when it answers, rejects or keeps silent when it does not. */
export type HealthChecks = Readonly<Record<'database' | 'queue', () => Promise<unknown>>>;

/** Whoever asks a load balancer's question wants an answer before its own patience ends. */
const PATIENCE_MS = 2_000;
/** However many ask, each part is asked once in this time. */
const KEPT_MS = 1_000;

type Part = 'ok' | 'down';

/**
 * `GET /health`: 200 while every part answers, 503 with the names of those that do not, within `patienceMs`. Says nothing
 * else about the inside.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: HealthChecks,
  now: () => number,
  patienceMs = PATIENCE_MS,
): void {
  let kept: { readonly at: number; readonly parts: Promise<Readonly<Record<string, Part>>> } | null = null;
  app.get('/health', async (_request, reply) => {
    if (kept === null || now() - kept.at >= KEPT_MS) {
      kept = { at: now(), parts: askAll(checks, patienceMs) };
    }
    const parts = await kept.parts;
    const isWell = Object.values(parts).every((part) => part === 'ok');
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isWell ? 'ok' : 'down', ...parts });
  });
}

async function askAll(checks: HealthChecks, patienceMs: number): Promise<Readonly<Record<string, Part>>> {
  const asked = Object.entries(checks).map(
    async ([name, check]) => [name, await ask(check, patienceMs)] as const,
  );
  return Object.fromEntries(await Promise.all(asked));
}

function ask(check: () => Promise<unknown>, patienceMs: number): Promise<Part> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('down'), patienceMs);
    check()
      .then(
        () => resolve('ok'),
        () => resolve('down'),
      )
      .finally(() => clearTimeout(timer));
  });
}

import { isAppError } from '../../../core/errors/app-error.ts';
import type { ErrorCode } from '../../../core/errors/codes.ts';

/** One dependency of a process: resolves when it answers, rejects or keeps silent when it does not. */
export type PartChecks = Readonly<Record<string, () => Promise<unknown>>>;

/** Codes that a part reports besides, because an operator mends each in another way. */
const SAID: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DATABASE_FULL',
  'DATABASE_BUSY',
  'DATABASE_READ_ONLY',
  'CLOCK_OFF',
]);

export type Part = 'ok' | 'down' | ErrorCode;
export type PartsAnswer = { readonly isWell: boolean; readonly parts: Readonly<Record<string, Part>> };

/** A load balancer wants an answer before its own patience ends. */
const PATIENCE_MS = 2_000;
/** However many ask, each part is asked once in this time. */
const KEPT_MS = 1_000;

/**
 * Asks all parts side by side and answers within `patienceMs`; a part that is silent until then is down. Calls within one
 * second share an answer, so that health checks of many callers cost the parts no more than those of one.
 */
export function createPartsCheck(
  checks: PartChecks,
  steadyMs: () => number,
  patienceMs = PATIENCE_MS,
): () => Promise<PartsAnswer> {
  let kept: { readonly at: number; readonly answer: Promise<PartsAnswer> } | null = null;
  return () => {
    if (kept === null || steadyMs() - kept.at >= KEPT_MS) {
      kept = { at: steadyMs(), answer: askAll(checks, patienceMs) };
    }
    return kept.answer;
  };
}

async function askAll(checks: PartChecks, patienceMs: number): Promise<PartsAnswer> {
  const asked = Object.entries(checks).map(
    async ([name, check]) => [name, await ask(check, patienceMs)] as const,
  );
  const parts = Object.fromEntries(await Promise.all(asked));
  return { isWell: Object.values(parts).every((part) => part === 'ok'), parts };
}

function ask(check: () => Promise<unknown>, patienceMs: number): Promise<Part> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('down'), patienceMs);
    // A check that throws at once is as down as one that rejects.
    Promise.resolve()
      .then(check)
      .then(
        () => resolve('ok'),
        (error: unknown) => resolve(isAppError(error) && SAID.has(error.code) ? error.code : 'down'),
      )
      .finally(() => clearTimeout(timer));
  });
}

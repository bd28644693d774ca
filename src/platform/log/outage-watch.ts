import type { Logger } from '../ports/logger.ts';

const AGAIN_MS = 2_000;
const PATIENCE_MS = 2_000;

export type OutageWatch<Part extends string> = {
  /** Something failed that may mean that `part` is away. Checks, notifies the operator once, and once more when it is back. */
  readonly suspect: (part: Part, cause: unknown) => void;
  readonly stop: () => void;
};

/**
 * Turns the failures of an outage, several a second in some, into two lines: the part is away, and it is back. No check runs without a
 * suspicion. A part that answers at the first look was a passing failure and is not reported.
 */
export function createOutageWatch<Part extends string>(deps: {
  readonly checks: Readonly<Record<Part, () => Promise<unknown>>>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds of a clock that cannot be set. */
  readonly steadyMs: () => number;
  /** Waits, and ends early when the watch is stopped. */
  readonly pause: (ms: number) => Promise<void>;
}): OutageWatch<Part> {
  const { checks, log, steadyMs, pause } = deps;
  const looking = new Set<Part>();
  let stopped = false;

  async function follow(part: Part, cause: unknown): Promise<void> {
    const since = steadyMs();
    if (await answers(checks[part])) return;
    log.warn({ part, cause: sentenceOf(cause) }, `the ${part} does not answer; it is asked until it does`);
    for (;;) {
      await pause(AGAIN_MS);
      if (stopped) return;
      if (await answers(checks[part])) break;
    }
    log.info({ part, awayMs: Math.round(steadyMs() - since) }, `the ${part} answers again`);
  }

  return {
    suspect: (part, cause) => {
      if (stopped || looking.has(part)) return;
      looking.add(part);
      void follow(part, cause).finally(() => looking.delete(part));
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** Within the patience: a part that is silent is away as well. */
function answers(check: () => Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    check()
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}

/** The sentence of an outage's own error; never a stack. */
function sentenceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const details = 'details' in cause ? cause.details : null;
  if (typeof details === 'object' && details !== null && 'cause' in details) return String(details.cause);
  return cause.message;
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';

/** On the slowest machine a signer is ready by then; one that is not is killed, and the next one starts. */
const START_MS = 60_000;
const READY = /Signer ready/;

/**
 * Keeps a signer's process running, as a supervisor does: one that ends is followed by the next, `restMs` later. Each child is known from its
 * first moment, so that `stop` leaves none. One that ends by itself after it was ready is a problem of the run.
 */
export function supervise(of: {
  readonly name: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly restMs: number;
}) {
  const counts = { started: 0, kills: 0 };
  const problems: string[] = [];
  let closing = false;
  let current: Child | null = null;
  let said = '';
  let begin: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    begin = resolve;
    fail = reject;
  });

  async function run(): Promise<void> {
    const child = startChild([of.file], of.env);
    current = child;
    counts.started += 1;
    said = '';
    const hear = (text: string): void => {
      said = (said + text).slice(-8_000);
      if (!READY.test(said)) return;
      isReady = true;
      begin();
    };
    let isReady = false;
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    const late = setTimeout(() => isReady || child.kill('SIGKILL'), START_MS);
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    clearTimeout(late);
    current = null;
    if (closing) return;
    if (!isReady) fail(new Error(`the signer ${of.name} did not start: ${said}`));
    else if (code !== null) problems.push(`the signer ${of.name} ended with ${code}: ${said.slice(-500)}`);
  }

  const running = (async () => {
    while (!closing) {
      await run();
      for (const endsAt = Date.now() + of.restMs; !closing && Date.now() < endsAt; ) await pause(100);
    }
  })();
  return {
    /** Resolves when the first one is ready; rejects where it ends before. */
    ready,
    counts: counts as Readonly<typeof counts>,
    problems: problems as readonly string[],
    /** The last words of the process that runs. */
    said: (): string => said,
    forget(): void {
      said = '';
    },
    signal: (signal: NodeJS.Signals): void => void current?.kill(signal),
    kill(): void {
      counts.kills += 1;
      current?.kill('SIGKILL');
    },
    async stop(): Promise<void> {
      closing = true;
      current?.kill('SIGKILL');
      await running;
    },
  };
}

export type Supervised = ReturnType<typeof supervise>;

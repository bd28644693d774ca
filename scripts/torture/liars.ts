import { type Child, startChild } from './child.ts';
import type { ProcessOptions } from './compose.ts';

/** One answer to a worker that lies: the signature that it was given, or the code of the refusal in the place of an intent. */
export type LieTold = {
  readonly lie:
    | 'other terms'
    | 'another message'
    | "another person's intent"
    | 'an invented intent'
    | 'refused';
  readonly intentId: string;
  readonly signature: string | null;
};

/** A lying worker's process, and what it was told. `stop` ends it. */
export function startLyingWorker(file: string, options: ProcessOptions & { readonly seed: number }) {
  const refused: Record<string, number> = {};
  const given: LieTold[] = [];
  let closing = false;
  let child: Child;
  function hire(): void {
    child = startChild([file, JSON.stringify(options)]);
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) hear(JSON.parse(line) as LieTold);
    });
    child.stderr.resume();
    child.once('exit', () => {
      if (!closing) setTimeout(hire, 1_000);
    });
  }
  function hear(told: LieTold): void {
    if (told.signature === null) refused[told.intentId] = (refused[told.intentId] ?? 0) + 1;
    else given.push(told);
  }
  hire();
  return {
    refused: refused as Readonly<Record<string, number>>,
    given: given as readonly LieTold[],
    async stop(): Promise<void> {
      closing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export type LyingWorker = ReturnType<typeof startLyingWorker>;

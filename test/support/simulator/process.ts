import type { Timeline } from './timeline.ts';

/** What a killed process's own code runs into. Nobody may catch it and go on. */
export class KilledError extends Error {
  constructor() {
    super('killed');
  }
}

/**
 * One simulated process. Killed, all it was waiting for never comes and nothing it still tries has an effect. Stopped, it
 * sleeps through whatever happens and goes on later as if nothing had: a zombie with old beliefs.
 */
export function createProcess(name: string, timeline: Timeline) {
  let alive = true;
  let stoppedUntil = 0;
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const wake = (): void => {
        if (!alive) reject(new KilledError());
        else if (timeline.now() < stoppedUntil) timeline.at(stoppedUntil, wake);
        else resolve();
      };
      timeline.after(ms, wake);
    });
  return {
    name,
    isAlive: () => alive,
    isRunning: () => alive && timeline.now() >= stoppedUntil,
    assertAlive(): void {
      if (!alive) throw new KilledError();
    },
    kill(): void {
      alive = false;
    },
    stop(ms: number): void {
      stoppedUntil = Math.max(stoppedUntil, timeline.now() + ms);
    },
    sleep,
  };
}

export type SimProcess = ReturnType<typeof createProcess>;

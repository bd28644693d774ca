import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of each call, one after the other. */
export async function sequential(ask: () => Promise<unknown>, calls: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < calls; n += 1) {
    const from = performance.now();
    await ask();
    times.push(performance.now() - from);
  }
  return times;
}

/** Milliseconds of each call, started on a fixed beat whether or not earlier ones have been answered. */
export async function paced(
  ask: () => Promise<unknown>,
  perSecond: number,
  calls: number,
): Promise<{ readonly times: readonly number[]; readonly refused: number }> {
  const started: Promise<number>[] = [];
  let refused = 0;
  const startedAt = performance.now();
  for (let n = 0; n < calls; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    const from = performance.now();
    started.push(
      ask()
        // A machine too busy for the pace shows here: the answer took its time all the same.
        .catch(() => {
          refused += 1;
        })
        .then(() => performance.now() - from),
    );
  }
  return { times: await Promise.all(started), refused };
}

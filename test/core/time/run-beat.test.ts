import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { runBeat } from '../../../src/core/time/run-beat.ts';

/** Beats whose pauses are over when the test says so. */
function rig(results: readonly (Error | 'ok')[], isTold = true) {
  const said: string[] = [];
  const pauses: number[] = [];
  let beats = 0;
  let next = (): void => undefined;
  let done = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    done = resolve;
  });
  const stop = runBeat({
    beat: async () => {
      const result = results[beats++] ?? 'ok';
      if (beats === results.length) done();
      if (result !== 'ok') throw result;
    },
    pauseMs: () => 100 + beats,
    pause: (ms) => {
      pauses.push(ms);
      // The last pause never ends by itself.
      return beats >= results.length ? new Promise((resolve) => (next = resolve)) : Promise.resolve();
    },
    ...(isTold
      ? {
          told: {
            log: {
              warn: (_: object, text: string) => void said.push(`warn ${text}`),
              error: (_: object, text: string) => void said.push(`error ${text}`),
            },
            failing: 'it fails',
            again: 'it works',
          },
        }
      : {}),
  });
  return { said, pauses, over, stop, beats: () => beats, endPause: () => next() };
}

describe('a beat', () => {
  it('comes after each pause, and its length is asked for each time', async () => {
    const { over, stop, pauses, beats } = rig(['ok', 'ok', 'ok']);
    await over;
    await stop();
    expect([beats(), pauses]).toEqual([3, [100, 101, 102, 103].slice(0, pauses.length)]);
  });

  it('says a fault once and its end once, and another fault anew', async () => {
    const gone = new AppError('DATABASE_UNREACHABLE', { cause: 'gone' });
    const { said, over, stop } = rig([gone, gone, new Error('full'), 'ok', 'ok']);
    await over;
    await stop();
    expect(said).toEqual(['error it fails', 'error it fails', 'warn it works']);
  });

  it('goes on after a fault that others tell', async () => {
    const { over, stop, beats } = rig([new Error('one'), new Error('two'), 'ok'], false);
    await over;
    await stop();
    expect(beats()).toBe(3);
  });

  it('does not come again after its end, and its end does not wait for a pause', async () => {
    const { over, stop, beats, endPause } = rig(['ok']);
    await over;
    await stop();
    endPause();
    await Promise.resolve();
    expect(beats()).toBe(1);
  });
});

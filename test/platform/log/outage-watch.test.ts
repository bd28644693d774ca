import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createOutageWatch } from '../../../src/platform/log/outage-watch.ts';

/** A queue that is away until look number `backAt`, on a virtual clock. */
function rig(backAt: number) {
  let now = 0;
  let looks = 0;
  const lines: (readonly [string, object])[] = [];
  let ended = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const watch = createOutageWatch({
    checks: {
      queue: async () => {
        looks += 1;
        if (looks < backAt) throw new Error('ECONNREFUSED');
        ended();
      },
    },
    log: {
      info: (fields, text) => void lines.push([text, fields]),
      warn: (fields, text) => void lines.push([text, fields]),
    },
    steadyMs: () => now,
    pause: async (ms) => {
      now += ms;
    },
  });
  return { watch, lines, done };
}

describe('the watch over outages', () => {
  it('makes two lines of a thousand failures: away with its reason, and back', async () => {
    const { watch, lines, done } = rig(4);
    for (let n = 0; n < 1_000; n += 1) {
      watch.suspect(
        'queue',
        new AppError('QUEUE_UNREACHABLE', { cause: 'Redis does not answer at r:6379.' }),
      );
    }
    await done;
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([
      [
        'the queue does not answer; it is asked until it does',
        { part: 'queue', cause: 'Redis does not answer at r:6379.' },
      ],
      ['the queue answers again', { part: 'queue', awayMs: 6_000 }],
    ]);
  });

  it('says nothing of a failure that has passed by the first look', async () => {
    const { watch, lines, done } = rig(1);
    watch.suspect('queue', new Error('x'));
    await done;
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([]);
  });
});

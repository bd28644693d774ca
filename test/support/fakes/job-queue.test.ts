import { describe, expect, it } from 'vitest';
import type { JobResult } from '../../../src/platform/ports/job-queue.ts';
import { fakeClock } from './clock.ts';
import { fakeJobQueue } from './job-queue.ts';

describe('the queue in memory', () => {
  it('melts jobs of one key, runs them in order of their time and moves the clock', async () => {
    const clock = fakeClock(1_000);
    const queue = fakeJobQueue(clock);
    await queue.add('intent.step', { intentId: 'late' }, { key: 'late', delayMs: 500 });
    await queue.add('intent.step', { intentId: 'now' }, { key: 'now' });
    await queue.add('intent.step', { intentId: 'twice' }, { key: 'now' });
    const runs: string[] = [];
    await queue.runAll({
      'intent.step': async ({ intentId }) => {
        runs.push(`${intentId}@${clock.now()}`);
        return { kind: 'done' };
      },
    });
    expect(runs).toEqual(['now@1000', 'late@1500']);
  });

  it('pulls a delayed job forward, and runs a job again that asks for it', async () => {
    const clock = fakeClock(0);
    const queue = fakeJobQueue(clock);
    await queue.add('sweep.run', {}, { key: 'sweep', delayMs: 9_000 });
    await queue.add('sweep.run', {}, { key: 'sweep' });
    const times: number[] = [];
    const runs = await queue.runAll({
      'sweep.run': async (): Promise<JobResult> => {
        times.push(clock.now());
        return times.length < 3 ? { kind: 'again', afterMs: 100 } : { kind: 'done' };
      },
    });
    expect(runs).toBe(3);
    expect(times).toEqual([0, 100, 200]);
  });

  it('stops at a job that never finishes', async () => {
    const queue = fakeJobQueue(fakeClock());
    await queue.add('sweep.run', {}, { key: 'sweep' });
    const again = async (): Promise<JobResult> => ({ kind: 'again', afterMs: 1 });
    await expect(queue.runAll({ 'sweep.run': again }, { maxRuns: 10 })).rejects.toThrow('sweep');
  });
});

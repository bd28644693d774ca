import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JobHandlers, JobQueue, JobResult, JobRunner } from '../../src/platform/ports/job-queue.ts';

type Opened = JobQueue & JobRunner & { close(): Promise<void> };

/** One queue server: each `open` is another process on it; `wipe` loses everything it holds. */
export type QueueServer = { open(): Promise<Opened>; wipe(): Promise<void> };

const DONE: JobResult = { kind: 'done' };
const NO_HANDLERS: JobHandlers = {
  'intent.step': async () => DONE,
  'launch.watch': async () => DONE,
  'mail.send': async () => DONE,
  'mail.sweep': async () => DONE,
  'notice.send': async () => DONE,
  'builds.watch': async () => DONE,
  'pools.refresh': async () => DONE,
  'market.stats': async () => DONE,
  'market.upkeep': async () => DONE,
  'payout.collect': async () => DONE,
  'points.settle': async () => DONE,
  'retention.run': async () => DONE,
  'positions.keep': async () => DONE,
  'sweep.run': async () => DONE,
};
const OPTIONS = { concurrency: 5 };
const WAIT = { timeout: 20_000, interval: 10 };

let serial = 0;
const newKey = (): string => {
  serial += 1;
  return `i-${process.pid}-${serial}`;
};

export function describeJobQueue(make: () => Promise<QueueServer>): void {
  let server: QueueServer;
  const opened: Opened[] = [];
  beforeAll(async () => {
    server = await make();
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
    // A wake-up that a test left behind would run in the next.
    await server.wipe();
  });
  const open = async () => {
    const queue = await server.open();
    opened.push(queue);
    return queue;
  };
  /** Keeps the ids that `intent.step` was run for, in order. */
  const recording = (step: (intentId: string, run: number) => Promise<JobResult> = async () => DONE) => {
    const runs: string[] = [];
    const handlers: JobHandlers = {
      ...NO_HANDLERS,
      'intent.step': async ({ intentId }) => {
        runs.push(intentId);
        return await step(intentId, runs.filter((id) => id === intentId).length);
      },
    };
    return { runs, handlers };
  };

  it('hands a job to a handler in another process, with its data', async () => {
    const [producer, consumer] = [await open(), await open()];
    const { runs, handlers } = recording();
    await consumer.run(handlers, OPTIONS);
    await producer.add('intent.step', { intentId: 'a' }, { key: newKey() });
    await vi.waitFor(() => expect(runs).toEqual(['a']), WAIT);
  });

  it('refuses keys that the queue would misread', async () => {
    const queue = await open();
    for (const key of ['a:b', '123', '']) {
      await expect(queue.add('intent.step', { intentId: 'a' }, { key })).rejects.toThrow('job key');
    }
  });

  it('melts jobs of one key into one while it waits, and frees the key when it is done', async () => {
    const queue = await open();
    const key = newKey();
    const { runs, handlers } = recording();
    for (let i = 0; i < 5; i += 1) await queue.add('intent.step', { intentId: `${key}-first` }, { key });
    const marker = newKey();
    await queue.add('intent.step', { intentId: marker }, { key: marker });
    await queue.run(handlers, { ...OPTIONS, concurrency: 1 });
    await vi.waitFor(() => expect(runs).toEqual([`${key}-first`, marker]), WAIT);
    // Finished a moment after its handler: until then a new job of the key counts as news for the running one, and follows.
    await queue.add('intent.step', { intentId: `${key}-second` }, { key });
    await vi.waitFor(() => expect(runs).toEqual([`${key}-first`, marker, `${key}-second`]), WAIT);
  });

  it('keeps a job that is added while one of its key runs, and runs it afterwards', async () => {
    const queue = await open();
    const key = newKey();
    let release: () => void = () => undefined;
    const { runs, handlers } = recording((id, run) =>
      id !== key || run > 1
        ? Promise.resolve(DONE)
        : new Promise((resolve) => {
            release = () => resolve(DONE);
          }),
    );
    await queue.run(handlers, OPTIONS);
    await queue.add('intent.step', { intentId: key }, { key });
    await vi.waitFor(() => expect(runs).toHaveLength(1), WAIT);
    await queue.add('intent.step', { intentId: key }, { key });
    await queue.add('intent.step', { intentId: key }, { key });
    const marker = newKey();
    await queue.add('intent.step', { intentId: marker }, { key: marker });
    await vi.waitFor(() => expect(runs).toEqual([key, marker]), WAIT);
    release();
    await vi.waitFor(() => expect(runs).toEqual([key, marker, key]), WAIT);
  });

  it('pulls a delayed job forward when it is asked for now', async () => {
    const queue = await open();
    const key = newKey();
    const { runs, handlers } = recording();
    await queue.run(handlers, OPTIONS);
    await queue.add('intent.step', { intentId: key }, { key, delayMs: 3_600_000 });
    await queue.add('intent.step', { intentId: key }, { key, delayMs: 7_200_000 });
    expect(runs).toEqual([]);
    await queue.add('intent.step', { intentId: key }, { key });
    await vi.waitFor(() => expect(runs).toEqual([key]), WAIT);
  });

  it('runs a delayed job after its delay and not before', async () => {
    const queue = await open();
    const key = newKey();
    const { runs, handlers } = recording();
    await queue.run(handlers, OPTIONS);
    const addedAt = Date.now();
    await queue.add('intent.step', { intentId: key }, { key, delayMs: 300 });
    await vi.waitFor(() => expect(runs).toEqual([key]), WAIT);
    expect(Date.now() - addedAt).toBeGreaterThanOrEqual(299);
  });

  it('runs the same job again when its handler asks for it', async () => {
    const queue = await open();
    const key = newKey();
    const { runs, handlers } = recording(async (_id, run) =>
      run < 4 ? { kind: 'again', afterMs: 20 } : DONE,
    );
    await queue.run(handlers, OPTIONS);
    await queue.add('intent.step', { intentId: key }, { key });
    await vi.waitFor(() => expect(runs).toEqual([key, key, key, key]), WAIT);
  });

  it('retries a handler that throws', async () => {
    const queue = await open();
    const key = newKey();
    const { runs, handlers } = recording(async (_id, run) => {
      if (run === 1) throw new Error('first run fails');
      return DONE;
    });
    await queue.run(handlers, OPTIONS);
    await queue.add('intent.step', { intentId: key }, { key });
    await vi.waitFor(() => expect(runs).toEqual([key, key]), WAIT);
  });

  it('gives up on a handler that always throws, and takes the key again', async () => {
    const queue = await open();
    const key = newKey();
    let healthy = false;
    const { runs, handlers } = recording(async () => {
      if (healthy) return DONE;
      throw new Error('never works');
    });
    await queue.run(handlers, OPTIONS);
    await queue.add('intent.step', { intentId: key }, { key });
    // A few runs, pulled forward over their back-off.
    await vi.waitFor(async () => {
      await queue.add('intent.step', { intentId: key }, { key });
      expect(runs.length).toBeGreaterThanOrEqual(4);
    }, WAIT);
    healthy = true;
    const before = runs.length;
    await vi.waitFor(async () => {
      await queue.add('intent.step', { intentId: key }, { key });
      expect(runs.length).toBeGreaterThan(before);
    }, WAIT);
  });

  it('shares a hundred jobs between two processes and loses none', async () => {
    const [a, b] = [await open(), await open()];
    const [left, right] = [recording(), recording()];
    await a.run(left.handlers, OPTIONS);
    await b.run(right.handlers, OPTIONS);
    const keys = Array.from({ length: 100 }, newKey);
    await Promise.all(keys.map((key) => a.add('intent.step', { intentId: key }, { key })));
    await vi.waitFor(() => expect(new Set([...left.runs, ...right.runs])).toEqual(new Set(keys)), WAIT);
  });

  it('finishes the running handler before it stops, and leaves the rest to the next process', async () => {
    const first = await open();
    const key = newKey();
    let release: () => void = () => undefined;
    let finished = false;
    const { runs, handlers } = recording(
      () =>
        new Promise((resolve) => {
          release = () => {
            finished = true;
            resolve(DONE);
          };
        }),
    );
    const runner = await first.run(handlers, { ...OPTIONS, concurrency: 1 });
    await first.add('intent.step', { intentId: key }, { key });
    await vi.waitFor(() => expect(runs).toEqual([key]), WAIT);
    const later = newKey();
    await first.add('intent.step', { intentId: later }, { key: later });
    const stopping = runner.stop();
    release();
    await stopping;
    expect(finished).toBe(true);
    expect(runs).toEqual([key]);

    const second = await open();
    const next = recording();
    await second.run(next.handlers, OPTIONS);
    await vi.waitFor(() => expect(next.runs).toEqual([later]), WAIT);
  });

  describe('a server that loses everything', () => {
    it('is put right by the next job, which is taken by a worker that was there before', async () => {
      const queue = await open();
      const { runs, handlers } = recording();
      await queue.run(handlers, OPTIONS);
      const first = newKey();
      await queue.add('intent.step', { intentId: first }, { key: first });
      await vi.waitFor(() => expect(runs).toEqual([first]), WAIT);
      await server.wipe();
      const key = newKey();
      await queue.add('intent.step', { intentId: key }, { key });
      await vi.waitFor(() => expect(runs).toEqual([first, key]), WAIT);
    });
  });
}

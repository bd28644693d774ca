import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createRedisDialogStore } from '../../src/platform/cache/redis-dialog-store.ts';
import type { DialogStore } from '../../src/platform/ports/dialog-store.ts';
import type { JobHandlers, JobResult } from '../../src/platform/ports/job-queue.ts';
import { type BullQueue, createBullQueue } from '../../src/platform/queue/bull-queue.ts';
import { startTcpProxy, type TcpProxy } from '../support/proxy/tcp-proxy.ts';

/** Without delayed jobs a worker waits at the server for five seconds. */
const SILENCE = { askingMs: 500, waitingMs: 6_500 };
const WAIT = { timeout: 40_000, interval: 20 };
const DONE: JobResult = { kind: 'done' };

/** A firewall that forgot the connection: it stands on both sides, and nothing passes any more, not even an end. */
describe.skipIf(!inject('redisUrl'))(
  'connections to Redis that are open on one side only (skipped without REDIS_URL)',
  () => {
    let proxy: TcpProxy;
    let redisUrl: string;
    let name: string;
    let direct: Redis;
    const closers: (() => Promise<void>)[] = [];
    beforeEach(async () => {
      const real = new URL(inject('redisUrl') ?? '');
      proxy = await startTcpProxy({ host: real.hostname, port: Number(real.port || 6379) });
      direct = new Redis(real.href);
      const url = new URL(real);
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      redisUrl = url.href;
      name = `test-${randomBytes(6).toString('hex')}`;
    });
    afterEach(async () => {
      proxy.setFaults({});
      for (const close of closers.splice(0)) await close();
      const keys = await direct.keys(`*${name}*`);
      if (keys.length > 0) await direct.del(...keys);
      direct.disconnect();
      await proxy.stop();
    });

    const openQueue = async (): Promise<BullQueue> => {
      const queue = await createBullQueue({ redisUrl, name, silence: SILENCE });
      closers.push(() => queue.close());
      return queue;
    };
    const openDialogs = async (): Promise<DialogStore> => {
      const dialogs = await createRedisDialogStore({ redisUrl, name, silence: SILENCE });
      closers.push(() => dialogs.close());
      return dialogs;
    };
    const recording = (step: (intentId: string) => Promise<JobResult> = async () => DONE) => {
      const begun: string[] = [];
      const ended: string[] = [];
      const other = async () => DONE;
      const handlers: JobHandlers = {
        'intent.step': async ({ intentId }) => {
          begun.push(intentId);
          const result = await step(intentId);
          ended.push(intentId);
          return result;
        },
        'launch.watch': other,
        'mail.send': other,
        'mail.sweep': other,
        'market.stats': other,
        'market.upkeep': other,
        'notice.send': other,
        'payout.collect': other,
        'points.settle': other,
        'builds.watch': other,
        'pools.refresh': other,
        'retention.run': other,
        'positions.keep': other,
        'sweep.run': other,
      };
      return { begun, ended, handlers };
    };
    /** As the relay does it: until Redis has taken the job. */
    const addAtLast = (queue: BullQueue, intentId: string): Promise<void> =>
      vi.waitFor(() => queue.add('intent.step', { intentId }, { key: `i-${intentId}` }), WAIT);

    it('make a new job fail in words of the product, and are replaced for the next', async () => {
      const queue = await openQueue();
      await queue.ping();
      proxy.setFaults({ halfOpen: true });
      await expect(queue.ping()).rejects.toMatchObject({ code: 'QUEUE_UNREACHABLE' });
      await expect(queue.add('intent.step', { intentId: 'a' }, { key: 'i-a' })).rejects.toMatchObject({
        code: 'QUEUE_UNREACHABLE',
        details: { cause: expect.stringMatching(/^Redis does not answer at 127\.0\.0\.1:\d+\. Start it/) },
      });
      proxy.silence();
      proxy.setFaults({});
      await addAtLast(queue, 'b');
      await queue.ping();
      const { ended, handlers } = recording();
      await queue.run(handlers, { concurrency: 1 });
      await vi.waitFor(() => expect(ended).toContain('b'), WAIT);
    });

    it('are noticed by a worker that waits for jobs, and by its attempts to come back', async () => {
      const producer = await createBullQueue({ redisUrl: inject('redisUrl') ?? '', name });
      closers.push(() => producer.close());
      const worker = await openQueue();
      const { ended, handlers } = recording();
      await worker.run(handlers, { concurrency: 1 });
      await addAtLast(producer, 'a');
      await vi.waitFor(() => expect(ended).toEqual(['a']), WAIT);

      proxy.setFaults({ halfOpen: true });
      await addAtLast(producer, 'b');
      // Silent too: whoever waits for one of these for ever never works again.
      const before = proxy.report().connections;
      await vi.waitFor(() => expect(proxy.report().connections).toBeGreaterThan(before), WAIT);
      expect(ended).toEqual(['a']);
      proxy.silence();
      proxy.setFaults({});
      await vi.waitFor(() => expect(ended).toEqual(['a', 'b']), WAIT);
    });

    it('lose and double no job that was under way: each ends, and one key never runs twice at once', async () => {
      const producer = await createBullQueue({ redisUrl: inject('redisUrl') ?? '', name });
      closers.push(() => producer.close());
      let running = 0;
      let most = 0;
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { begun, ended, handlers } = recording(async () => {
        running += 1;
        most = Math.max(most, running);
        await gate;
        running -= 1;
        return DONE;
      });
      const worker = await openQueue();
      await worker.run(handlers, { concurrency: 1 });
      await addAtLast(producer, 'a');
      await vi.waitFor(() => expect(begun).toEqual(['a']), WAIT);
      const marker = `{${name}}:${name}:de:i-a`;
      expect(await direct.exists(marker)).toBe(1);
      // The answer to its end is lost, which may hand the worker the next job: nobody hears of that.
      await addAtLast(producer, 'b');
      proxy.setFaults({ loseAnswers: true });
      release();
      await vi.waitFor(async () => expect(ended).toEqual(['a']), WAIT);
      await vi.waitFor(async () => expect(await direct.exists(marker)).toBe(0), WAIT);
      proxy.silence();
      proxy.setFaults({});
      await vi.waitFor(() => expect(ended).toContain('b'), WAIT);
      await addAtLast(producer, 'c');
      await vi.waitFor(() => expect(ended).toContain('c'), WAIT);
      expect([...new Set(ended)]).toEqual(['a', 'b', 'c']);
      expect(most).toBe(1);
    });

    it('end a dialogue’s command in words of the product, and are replaced', async () => {
      const dialogs = await openDialogs();
      await dialogs.write('k', 0, 'one', 60);
      proxy.setFaults({ halfOpen: true });
      await expect(dialogs.read('k')).rejects.toMatchObject({ code: 'QUEUE_UNREACHABLE' });
      await expect(dialogs.write('k', 1, 'two', 60)).rejects.toMatchObject({ code: 'QUEUE_UNREACHABLE' });
      proxy.silence();
      proxy.setFaults({});
      const read = () => vi.waitFor(() => dialogs.read('k'), WAIT);
      expect([
        { revision: 1, value: 'one' },
        { revision: 2, value: 'two' },
      ]).toContainEqual(await read());
    });

    it('do not make a command fail that was done and is sent again because nobody heard of it', async () => {
      const dialogs = await openDialogs();
      const heard = async <T>(ask: () => Promise<T>, key: string): Promise<T> => {
        proxy.setFaults({ loseAnswers: true });
        const answer = ask();
        await vi.waitFor(async () => expect(await direct.exists(`${name}:${key}`)).toBe(1), WAIT);
        proxy.silence();
        proxy.setFaults({});
        return answer;
      };
      expect(await heard(() => dialogs.write('k', 0, 'one', 60), 'dialog:k')).toBe(true);
      expect(await dialogs.read('k')).toEqual({ revision: 1, value: 'one' });
      expect(await dialogs.write('k', 0, 'other', 60)).toBe(false);
      const lock = await heard(() => dialogs.lock('l', 60_000), 'lock:l');
      expect(lock).not.toBeNull();
      expect(await dialogs.lock('l', 60_000)).toBeNull();
      await lock?.release();
      expect(await heard(() => dialogs.claimUpdate('u', 60_000), 'update:u')).toBe('claimed');
      expect(await dialogs.claimUpdate('u', 60_000)).toBe('busy');
      // Once, however often it was sent: two more tries are left.
      expect(await direct.hget(`${name}:update:u`, 'tries')).toBe('1');
    });
  },
);

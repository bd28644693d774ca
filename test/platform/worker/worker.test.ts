import { describe, expect, it, vi } from 'vitest';
import { jobHandlers } from '../../../src/compose/create-worker.ts';
import { jobs } from '../../../src/compose/jobs.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import { createDeliverNotice } from '../../../src/engine/transactions/use/deliver-notice.ts';
import { createRelay } from '../../../src/engine/transactions/use/relay-outbox.ts';
import { sweep } from '../../../src/engine/transactions/use/sweep.ts';
import { locateDocument } from '../../../src/modules/mint/use/store-document.ts';
import { clearAway } from '../../../src/modules/operations/use/clear-away.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { JobHandlers } from '../../../src/platform/ports/job-queue.ts';
import type { WorkerServices } from '../../../src/platform/worker/job.ts';
import { startRecurring } from '../../../src/platform/worker/recurring.ts';
import { buildAttempt, buildIntent, DESTINATION } from '../../engine/intents/build.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeDialogStore } from '../../support/fakes/dialog-store.ts';
import { fakeJobQueue } from '../../support/fakes/job-queue.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { noRetention } from '../../support/fakes/retention-store.ts';
import { PASSED } from '../../support/passed.ts';

const log = { warn: () => undefined, error: () => undefined };
const services = (patch: Partial<WorkerServices>): WorkerServices => ({
  stepIntent: () => Promise.reject(new Error('stepIntent is not set up')),
  deliverNotice: () => Promise.reject(new Error('deliverNotice is not set up')),
  sendMail: () => Promise.reject(new Error('sendMail is not set up')),
  sweepMails: () => Promise.reject(new Error('sweepMails is not set up')),
  collectPayouts: () => Promise.reject(new Error('collectPayouts is not set up')),
  settlePoints: () => Promise.reject(new Error('settlePoints is not set up')),
  watchBuilds: () => Promise.reject(new Error('watchBuilds is not set up')),
  refreshPools: () => Promise.reject(new Error('refreshPools is not set up')),
  keepPositions: () => Promise.reject(new Error('keepPositions is not set up')),
  judgeTrades: async () => undefined,
  moveMarketWindows: async () => undefined,
  indexTokens: async () => undefined,
  workOutTrending: async () => undefined,
  keepTape: async () => undefined,
  watchLaunches: () => Promise.reject(new Error('watchLaunches is not set up')),
  cleanUp: () => Promise.reject(new Error('cleanUp is not set up')),
  sweep: () => Promise.reject(new Error('sweep is not set up')),
  ...patch,
});

describe('the worker', () => {
  it('calls the one service of each job and hands back when to come again', async () => {
    const calls: unknown[] = [];
    const handlers = jobHandlers({
      log,
      services: services({
        stepIntent: async (id) => {
          calls.push(id);
          return { kind: 'again', afterMs: 7 };
        },
        deliverNotice: async (id) => {
          calls.push(id);
          return { kind: 'done' };
        },
        collectPayouts: async () => calls.push('collect'),
        sweep: async () => {
          calls.push('sweep');
        },
      }),
    });
    expect(await handlers['intent.step']({ intentId: 'i' })).toEqual({ kind: 'again', afterMs: 7 });
    expect(await handlers['notice.send']({ noticeId: 'n' })).toEqual({ kind: 'done' });
    expect(await handlers['payout.collect']({})).toEqual({ kind: 'done' });
    expect(await handlers['sweep.run']({})).toEqual({ kind: 'done' });
    expect(calls).toEqual(['i', 'n', 'collect', 'sweep']);
  });

  it('tells an outage as such, not as a failed job each time', async () => {
    const told: unknown[] = [];
    const failure = new AppError('DATABASE_UNREACHABLE', { cause: 'gone' });
    const handlers = jobHandlers({
      log: { ...log, error: () => told.push('a line') },
      services: services({ stepIntent: () => Promise.reject(failure) }),
      onOutage: (part, error) => told.push([part, error]),
    });
    await expect(handlers['intent.step']({ intentId: 'i' })).rejects.toBe(failure);
    expect(told).toEqual([['database', failure]]);
  });

  it('ends a job whose refusal no repeat can help, and lets every other failure be retried', async () => {
    const failing = (error: Error): JobHandlers =>
      jobHandlers({ log, services: services({ stepIntent: () => Promise.reject(error) }) });
    const refused = failing(new AppError('WALLET_NOT_FOUND', {}));
    expect(await refused['intent.step']({ intentId: 'i' })).toEqual({ kind: 'done' });
    const outage = failing(new AppError('DATABASE_UNREACHABLE', { cause: 'gone' }));
    await expect(outage['intent.step']({ intentId: 'i' })).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
    });
    await expect(failing(new TypeError('bug'))['intent.step']({ intentId: 'i' })).rejects.toThrow('bug');
  });

  it('runs what recurs in one of several processes only, and not before that one knows that it is the first', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const ran: string[] = [];
    const handlers = (name: string): JobHandlers =>
      jobHandlers({ log, services: services({ sweep: async () => void ran.push(name) }) });
    let first = '';
    const workers = ['a', 'b'].map((name) =>
      startRecurring(handlers(name), { 'sweep.run': 5_000 }, () => first === name),
    );
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran).toEqual([]);
    first = 'a';
    await vi.advanceTimersByTimeAsync(11_000);
    expect(ran).toEqual(['a', 'a', 'a']);
    first = 'b';
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toEqual(['a', 'a', 'a', 'b']);
    await Promise.all(workers.map((worker) => worker.stop()));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ran).toHaveLength(4);
    vi.useRealTimers();
  });

  it('asks for nothing by itself but what nobody asks for', () => {
    const every = Object.values(jobs).map(({ name, everyMs }) => [name, everyMs]);
    expect(Object.fromEntries(every)).toEqual({
      'builds.watch': 60_000,
      'intent.step': null,
      'notice.send': null,
      'mail.send': null,
      'mail.sweep': 60_000,
      'retention.run': 600_000,
      'sweep.run': 60_000,
      'payout.collect': 60_000,
      'launch.watch': 30_000,
      'points.settle': 30_000,
      'market.stats': 30_000,
      'market.upkeep': 600_000,
      'pools.refresh': 5_000,
      'positions.keep': 60_000,
    });
  });
});

async function withIntent(status: 'ACTIVE' | 'SUCCEEDED' = 'ACTIVE') {
  const db = fakeDatabase();
  const clock = fakeClock();
  await db.users.insert({
    id: 'user-1',
    telegramId: 1n,
    firstName: 'Ann',
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: 0,
  });
  await db.wallets.insert(
    PASSED,
    {
      id: 'wallet-1',
      userId: 'user-1',
      name: 'Main',
      address: DESTINATION,
      createdAt: 0,
      deletedAt: null,
      origin: 'made',
      confirmedAt: null,
      payoutFrom: null,
    },
    {
      walletId: 'wallet-1',
      userId: 'user-1',
      publicKey: DESTINATION,
      version: 1,
      kekId: 'k',
      wrappedDek: new Uint8Array(60),
      sealedSeed: new Uint8Array(60),
    },
  );
  const intent = buildIntent({ status });
  await db.intents.insert(intent);
  const notice = (id: string, kind: Notice['kind']): Notice => ({
    id,
    userId: 'user-1',
    intentId: intent.id,
    kind,
    payload: null,
    createdAt: clock.now(),
    deliveredAt: null,
    attempts: 0,
  });
  return { db, clock, intent, notice };
}

describe('delivering a notice', () => {
  it('delivers once, waits as long as it is told, and counts its tries', async () => {
    const { db, clock, notice } = await withIntent();
    await db.notices.add([notice('n1', 'confirmed')]);
    const answers = [{ kind: 'retry' as const, afterMs: 3_000 }, { kind: 'delivered' as const }];
    let calls = 0;
    const deliver = createDeliverNotice({
      db,
      clock,
      notifier: { deliver: async () => answers[calls++] ?? { kind: 'delivered' } },
    });
    expect(await deliver('n1')).toEqual({ kind: 'again', afterMs: 3_000 });
    expect((await db.notices.find('n1'))?.deliveredAt).toBeNull();
    expect(await deliver('n1')).toEqual({ kind: 'done' });
    expect(await deliver('n1')).toEqual({ kind: 'done' });
    expect(await deliver('unknown')).toEqual({ kind: 'done' });
    expect(calls).toBe(2);
    expect((await db.notices.find('n1'))?.attempts).toBe(2);
  });

  it('drops what was overtaken, so that no message falls back from a result to "sent"', async () => {
    const over = await withIntent('SUCCEEDED');
    const delivered: string[] = [];
    const deliverer = (world: typeof over) =>
      createDeliverNotice({
        db: world.db,
        clock: world.clock,
        notifier: {
          deliver: async ({ notice: { id } }) => {
            delivered.push(id);
            return { kind: 'delivered' };
          },
        },
      });
    await over.db.notices.add([
      over.notice('p', 'progress'),
      over.notice('c', 'confirmed'),
      over.notice('f', 'final'),
    ]);
    for (const id of ['p', 'c', 'f']) await deliverer(over)(id);
    expect(delivered).toEqual(['f']);
    const confirmed = await withIntent();
    await confirmed.db.intents.insertAttempt(buildAttempt({ status: 'CONFIRMED' }));
    await confirmed.db.notices.add([confirmed.notice('p2', 'progress'), confirmed.notice('c2', 'confirmed')]);
    for (const id of ['p2', 'c2']) await deliverer(confirmed)(id);
    expect(delivered).toEqual(['f', 'c2']);
  });
});

describe('the relay and the sweeper', () => {
  const row = (n: number) => ({
    id: `o${n}`,
    job: 'intent.step' as const,
    data: { intentId: `i${n}` },
    key: `intent-i${n}`,
    notBefore: null,
  });

  it('moves every committed row into the queue once, in any number', async () => {
    const { db, clock } = await withIntent();
    const queue = fakeJobQueue(clock);
    await db.outbox.add(Array.from({ length: 250 }, (_, n) => row(n)));
    const relay = createRelay({ db, queue, clock });
    const [first] = await Promise.all([relay.run(), relay.run()]);
    expect(first).toBe(250);
    expect(queue.added).toHaveLength(250);
    expect(await relay.run()).toBe(0);
  });

  it('keeps the rows when the queue is down, and a nudge says nothing of it', async () => {
    const { db, clock } = await withIntent();
    await db.outbox.add([row(1)]);
    const broken = { add: () => Promise.reject(new Error('queue down')) };
    const relay = createRelay({ db, queue: broken, clock });
    relay.nudge();
    await expect(relay.run()).rejects.toThrow('queue down');
    const queue = fakeJobQueue(clock);
    expect(await createRelay({ db, queue, clock }).run()).toBe(1);
  });

  it('brings back due intents and undelivered notices after the queue lost everything', async () => {
    const { db, clock, intent, notice } = await withIntent();
    await db.notices.add([notice('n1', 'final')]);
    clock.advance(6_000);
    const queue = fakeJobQueue(clock);
    const run = () =>
      sweep({
        db,
        queue,
        clock,
        relay: createRelay({ db, queue, clock }),
      });
    await run();
    await run();
    expect(queue.waiting.map((job) => job.key).sort()).toEqual([`intent-${intent.id}`, 'notice-n1']);
  });

  it('brings on what was committed while nobody could reach the queue, and nothing nudges any more', async () => {
    const { db, clock } = await withIntent();
    // Of an intent that is not due by itself: nothing but its row in the outbox leads to it.
    await db.outbox.add([row(7)]);
    const queue = fakeJobQueue(clock);
    const relay = createRelay({ db, queue, clock });
    await sweep({ db, queue, clock, relay });
    expect(queue.waiting.map((job) => job.key)).toContain('intent-i7');
  });

  it('removes dispatched outbox rows and expired dialogues, which would grow for ever', async () => {
    const { db, clock } = await withIntent();
    const queue = fakeJobQueue(clock);
    const relay = createRelay({ db, queue, clock });
    const dialogs = fakeDialogStore(clock);
    await dialogs.write('k', 0, '{}', 60);
    await relay.run();
    clock.advance(2 * 3_600_000);
    const log = { debug: () => undefined };
    await clearAway({ db, dialogs, metadata: fakeMetadataStore(), retention: noRetention, clock, log });
    expect(await db.outbox.deleteDispatched(clock.now())).toBe(0);
    expect(await dialogs.read('k')).toBeNull();
  });

  it('removes a picture a day after it was sent, unless the document of a token names it', async () => {
    const { db, clock } = await withIntent();
    const metadata = fakeMetadataStore({ clock });
    const idle = await metadata.put('png', Uint8Array.of(1));
    const used = await metadata.put('jpg', Uint8Array.of(2));
    const token = { name: 'Pup', symbol: 'PUP', metadata: { imageUri: used.uri } };
    const document = await locateDocument({ metadata }, token);
    await metadata.put('json', document.bytes);
    await metadata.keep(document.sha256);
    const dialogs = fakeDialogStore(clock);
    const log = { debug: () => undefined };
    const run = () => clearAway({ db, dialogs, metadata, retention: noRetention, clock, log });
    clock.advance(24 * 3_600_000);
    await run();
    expect(await metadata.find(idle.sha256, 'png')).not.toBeNull();
    clock.advance(1);
    await run();
    expect(await metadata.find(idle.sha256, 'png')).toBeNull();
    clock.advance(1_000 * 24 * 3_600_000);
    await run();
    expect(await metadata.find(used.sha256, 'jpg')).toEqual(Uint8Array.of(2));
  });
});

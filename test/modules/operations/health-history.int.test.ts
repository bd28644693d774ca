import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { HISTORY_DAYS } from '../../../src/modules/operations/rules/retention.ts';
import { createHealthStore } from '../../../src/modules/operations/store/health-store.ts';
import type { HealthStore } from '../../../src/modules/operations/store/health-store-port.ts';
import { createRetentionStore } from '../../../src/modules/operations/store/retention-store.ts';
import { createPartsCheck } from '../../../src/modules/operations/use/ask-parts.ts';
import { createHealthSampler } from '../../../src/modules/operations/use/sample-health.ts';
import { createHeartbeat } from '../../../src/platform/db/heartbeat.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { newId } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const START = Date.UTC(2027, 0, 1, 23, 58, 20);

let db: PrismaDatabase;
let other: PrismaDatabase;
beforeAll(async () => {
  const url = await createTestDatabase();
  db = await createPrismaDatabase({ url });
  other = await createPrismaDatabase({ url });
});
afterAll(async () => {
  await db?.close();
  await other?.close();
});

const wiped = async (): Promise<HealthStore> => {
  await db.query('DELETE FROM health_days', []);
  return createHealthStore(db.query);
};
const marksOf = (part: string, minutes: readonly number[], isDown = false) =>
  minutes.map((minute) => ({ part, minute: START - 20_000 + minute * MINUTE, isDown }));
const days = (store: HealthStore) => store.days(START - 7 * DAY);

it('each minute counts once, in its own UTC day, and keeps what the first process wrote of it', async () => {
  const store = await wiped();
  await store.write([...marksOf('queue', [0, 1]), ...marksOf('queue', [2], true)]);
  // Of two marks of one minute in one write, the first counts too.
  await store.write([
    ...marksOf('queue', [0], true),
    ...marksOf('queue', [3], true),
    ...marksOf('queue', [3]),
  ]);
  await createHealthStore(other.query).write(marksOf('queue', [2]));
  // A late word on a known minute beside a new minute of the same day.
  await createHealthStore(other.query).write([...marksOf('queue', [1], true), ...marksOf('queue', [-1])]);
  expect(await days(store)).toEqual([
    { part: 'queue', day: '2027-01-01', measured: 3, down: 0 },
    { part: 'queue', day: '2027-01-02', measured: 2, down: 2 },
  ]);
});

it('processes that write the same minutes at once count them once', async () => {
  const store = await wiped();
  const minutes = Array.from({ length: 40 }, (_, minute) => minute - 200);
  const of = (query: PrismaDatabase['query']) =>
    minutes.map((minute) =>
      createHealthStore(query).write([...marksOf('chain', [minute]), ...marksOf('database', [minute])]),
    );
  await Promise.all([...of(db.query), ...of(other.query)]);
  expect(await days(store)).toEqual([
    { part: 'chain', day: '2027-01-01', measured: 40, down: 0 },
    { part: 'database', day: '2027-01-01', measured: 40, down: 0 },
  ]);
});

it('the sampler looks once a minute and writes an outage of the database when it is over', async () => {
  const store = await wiped();
  const clock = fakeClock(Date.UTC(2027, 2, 1, 12, 0, 10));
  let [isAway, looks] = [false, 0];
  const answers = async (): Promise<void> => {
    looks += 1;
    if (isAway) throw new AppError('DATABASE_UNREACHABLE', { reason: 'a drill', target: '' } as never);
  };
  const warned: unknown[] = [];
  const sampler = createHealthSampler({
    parts: createPartsCheck({ database: answers, chain: async () => 0 }, () => clock.now()),
    health: {
      roles: async (names) => {
        if (isAway) throw new AppError('DATABASE_UNREACHABLE', { reason: 'a drill', target: '' } as never);
        return [{ role: names[0] ?? '', isUp: looks !== 2 }];
      },
      write: async (marks) => {
        if (isAway) throw new AppError('DATABASE_UNREACHABLE', { reason: 'a drill', target: '' } as never);
        await store.write(marks);
      },
      missed: (part, until) => store.missed(part, until),
    },
    clock,
    log: { warn: (fields) => void warned.push(fields) },
  });
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      expect(await sampler.round()).toBe(50_000);
      await sampler.round();
      clock.advance(MINUTE);
    }
  };
  await pass(3);
  isAway = true;
  await pass(5);
  isAway = false;
  await pass(1);
  expect(looks).toBe(9);
  expect(await store.days(clock.now())).toEqual([
    // Nothing is known of a process while its reports cannot be read.
    { part: 'api', day: '2027-03-01', measured: 4, down: 1 },
    { part: 'chain', day: '2027-03-01', measured: 9, down: 0 },
    { part: 'database', day: '2027-03-01', measured: 9, down: 5 },
    // It ran all the time, also where it could not write.
    { part: 'worker', day: '2027-03-01', measured: 9, down: 0 },
  ]);
  expect(warned).toEqual([]);
});

describe('the worker', () => {
  const NOON = Date.UTC(2027, 4, 1, 12);
  const whole = (day: string) => ({ part: 'worker', day, measured: 1_440, down: 1_440 });
  const samplerOf = (store: HealthStore, now: number) => {
    const clock = fakeClock(now);
    const sampler = createHealthSampler({
      parts: createPartsCheck({ chain: async () => 0 }, () => clock.now()),
      health: { ...store, roles: async () => [] },
      clock,
      log: { warn: (fields) => expect(fields).toBeUndefined() },
    });
    return async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await sampler.round();
        clock.advance(MINUTE);
      }
    };
  };
  const workerDays = async (store: HealthStore) =>
    (await store.days(NOON - 30 * DAY)).filter(({ part }) => part === 'worker');

  it('was down from the last minute of one to the first minute of the next', async () => {
    const store = await wiped();
    await samplerOf(store, NOON)(4);
    await samplerOf(store, NOON + 30 * MINUTE)(2);
    // Not known yet: another worker may hold these minutes.
    expect(await workerDays(store)).toEqual([{ part: 'worker', day: '2027-05-01', measured: 6, down: 0 }]);
    // 26 minutes before the second one, which ended too early to say so, and 8 after it.
    await samplerOf(store, NOON + 40 * MINUTE)(5);
    expect(await workerDays(store)).toEqual([{ part: 'worker', day: '2027-05-01', measured: 45, down: 34 }]);
  });

  it('was down over midnight and whole days', async () => {
    const store = await wiped();
    await samplerOf(store, NOON)(1);
    await samplerOf(store, NOON + 2 * DAY)(3);
    expect(await workerDays(store)).toEqual([
      { part: 'worker', day: '2027-05-01', measured: 720, down: 719 },
      whole('2027-05-02'),
      { part: 'worker', day: '2027-05-03', measured: 723, down: 720 },
    ]);
  });

  it('was not down while another one looked, nor in what one that waits for the database writes late', async () => {
    const store = await wiped();
    await samplerOf(store, NOON)(1);
    const late = samplerOf(store, NOON + 10 * MINUTE);
    await late(2);
    // Minutes 1 to 9 were kept by a worker that could not write, and come before the third look.
    const kept = Array.from({ length: 9 }, (_, minute) => NOON + (minute + 1) * MINUTE);
    await store.write(kept.map((minute) => ({ part: 'worker', minute, isDown: false })));
    await late(3);
    expect(await workerDays(store)).toEqual([{ part: 'worker', day: '2027-05-01', measured: 15, down: 0 }]);
  });

  it('has no data for a time of more than a week, and none before the first one ran', async () => {
    const store = await wiped();
    await samplerOf(store, NOON - 8 * DAY)(3);
    await samplerOf(store, NOON)(3);
    expect((await workerDays(store)).map(({ measured, down }) => [measured, down])).toEqual([
      [3, 0],
      [3, 0],
    ]);
  });
});

describe('the processes of a role', () => {
  const NAMES = ['api', 'bot', 'indexer', 'signer'];
  const starts = async (roles: string, secondsAgo = 0) => {
    const id = newId();
    const beating = createHeartbeat(db.query, { id, roles, version: '0', host: 'here' });
    await beating.beat();
    await db.query(
      `UPDATE processes SET beat_at = clock_timestamp() - $2::int * interval '1 second' WHERE id = $1`,
      [id, secondsAgo],
    );
    return beating;
  };
  const wipedAll = async (): Promise<HealthStore> => {
    await db.query('DELETE FROM processes', []);
    return wiped();
  };

  it('run while one of them says so, each role that a process has', async () => {
    const store = await wipedAll();
    expect(await store.roles(NAMES)).toEqual([]);
    await starts('bot,worker,api', 5);
    await starts('signer', 40);
    expect(await store.roles(NAMES)).toEqual([
      { role: 'api', isUp: true },
      { role: 'bot', isUp: true },
      // It was killed: its row is there and says nothing more.
      { role: 'signer', isUp: false },
    ]);
    await starts('signer');
    expect((await store.roles(NAMES)).at(-1)).toEqual({ role: 'signer', isUp: true });
  });

  it('are down after they were stopped, and forgotten when none ran for a week', async () => {
    const store = await wipedAll();
    const bot = await starts('bot');
    const minute = Math.floor(Date.now() / MINUTE) * MINUTE;
    await store.write([
      { part: 'bot', minute, isDown: false },
      { part: 'api', minute: minute - 8 * DAY, isDown: false },
      { part: 'indexer', minute, isDown: true },
    ]);
    await bot.leave();
    expect(await store.roles(NAMES)).toEqual([{ role: 'bot', isUp: false }]);
  });
});

it('a day is removed when the page shows it no more, and not before', async () => {
  const store = await wiped();
  const shown = START - (HISTORY_DAYS - 1) * DAY;
  for (const minute of [START, shown, shown - DAY, shown - 2 * DAY])
    await store.write([{ part: 'queue', minute, isDown: false }]);
  expect((await createRetentionStore(db.query).clean(START)).get('health_days')).toBe(1);
  const left = await store.days(0);
  expect(left.map(({ day }) => day)).toEqual(['2026-10-03', '2026-10-04', '2027-01-01']);
});

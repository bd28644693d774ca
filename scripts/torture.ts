/**
 * `npm run torture -- --minutes N --seed S [--intents M] [--kills K] [--workers W] | --short`: real worker processes on the
 * real adapters, against a chain that loses, drops, delays, forks and lags, behind a proxy that cuts at COMMIT, with `kill -9`,
 * a killed Postgres and a lost queue. Prints a report and exits 1 when anything was done twice, lost, stuck or sent too early.
 * REDIS_URL, if set, carries the queue and is FLUSHED: never name a Redis that holds anything.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createIntent } from '../src/services/transactions/create-intent.ts';
import { CRASH_POINTS } from '../test/support/chaos/crash-points.ts';
import { seededRandom } from '../test/support/simulator/random.ts';
import { audit } from './torture/audit.ts';
import { composeProcess } from './torture/compose.ts';
import { createWishes, insist, openIntents, settlePeople, type Wish } from './torture/people.ts';
import { bundleWorker, createCrew } from './torture/workers.ts';
import { STORM, startWorld } from './torture/world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    intents: { type: 'string' },
    kills: { type: 'string' },
    workers: { type: 'string', default: '3' },
    short: { type: 'boolean', default: false },
  },
});

function number(name: 'minutes' | 'seed' | 'intents' | 'kills' | 'workers', least: number): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= least) return value;
  console.error(`--${name}: expected a number of at least ${least}, got "${values[name]}"`);
  process.exit(2);
}

const seconds = values.short ? 25 : 60 * number('minutes', 0.1);
const seed = number('seed', 0);
const wanted =
  values.intents === undefined ? Math.round(seconds * (values.short ? 4 : 10)) : number('intents', 1);
const wantedKills =
  values.kills === undefined ? Math.round(seconds / (values.short ? 5 : 2)) : number('kills', 0);
const SLOT_MS = 50;
/** The longest way to an end: a lease that must run out, two windows of 151 slots, finality and the sweeper's round. */
const SETTLE_MS = 120_000;

const random = seededRandom(seed);
const redisUrl = process.env['REDIS_URL'] || null;
const say = (text: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${text}`);

const file = await bundleWorker();
const world = await startWorld({ slotMs: SLOT_MS, seed: `torture-${seed}`, redisUrl });
const client = await composeProcess({ ...world.processOptions, crashAt: null });
const crew = createCrew(file, number('workers', 1), () => ({ ...world.processOptions, crashAt: null }));
let failed = true;
try {
  failed = await torture();
} finally {
  await crew.close();
  await client.close().catch(() => undefined);
  await world.stop();
  rmSync(file, { force: true });
}
process.exit(failed ? 1 : 0);

async function torture(): Promise<boolean> {
  const people = await settlePeople(client, world, 24);
  const wishes = await createWishes(client, world, people, random);
  const confirmed: string[] = [];
  let doubles = 0;
  const ask = async (wish: Wish): Promise<void> => {
    const idemKey = client.deps.ids.ulid();
    // One tap in ten is a double tap.
    const taps = random.chance(0.1) ? 2 : 1;
    const made = await Promise.all(
      Array.from({ length: taps }, () => insist(() => createIntent(client.deps, { ...wish, idemKey }))),
    );
    if (new Set(made.map(({ intent }) => intent.id)).size > 1) doubles += 1;
    confirmed.push(...made.slice(0, 1).map(({ intent }) => intent.id));
  };
  const settle = async (timeoutMs: number): Promise<number> => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const open = await insist(() =>
        world.query(`SELECT 1 FROM intents WHERE status IN ('CREATED', 'ACTIVE') LIMIT 1`),
      );
      if (open.length === 0) return 0;
      if (Date.now() > deadline) return openIntents(client.deps.db, confirmed);
      await pause(250);
    }
  };

  for (const wish of wishes.stock) await ask(wish);
  if ((await settle(60_000)) > 0) throw new Error('the stock was not bought even in fair weather');
  await wishes.open();
  say(`${people.length} people are ready; ${wanted} intents, ${wantedKills} kills, ${seconds} s of storm`);

  world.faults.setPlan({ seed: String(seed), rules: STORM });
  world.proxy.setFaults({ cutCommit: () => random.chance(0.002) });
  const startedAt = Date.now();
  const stormOver = (): boolean => Date.now() - startedAt > seconds * 1_000;
  const events = { postgresKills: 0, queueLosses: 0, connectionCuts: 0 };
  const points = [...CRASH_POINTS];

  const pending: Promise<void>[] = [];
  const asking = (async () => {
    for (let n = 0; n < wanted; n += 1) {
      const due = startedAt + (n / wanted) * seconds * 900;
      if (Date.now() < due) await pause(due - Date.now());
      // Not waited for: a person does not wait for another's confirmation.
      const one = ask(wishes.next());
      if (n % 20 === 19) await one;
      else pending.push(one);
    }
  })();
  const killing = (async () => {
    while (!stormOver() && crew.counts.kills < wantedKills) {
      // Never hurried to catch up: workers that are killed before they have done anything prove nothing.
      await pause((0.5 + random.next()) * ((seconds * 1_000) / wantedKills));
      if (random.chance(0.2)) crew.plant(random.pick(points));
      crew.kill((count) => random.between(0, Math.max(0, count - 1)));
    }
  })();
  const breaking = (async () => {
    const rounds = Math.max(1, Math.floor(seconds / 60));
    for (let round = 0; round < rounds; round += 1) {
      const at = startedAt + ((round + 0.4) / rounds) * seconds * 1_000;
      await pause(Math.max(0, at - Date.now()));
      events.connectionCuts += world.proxy.cut();
      await pause((seconds * 100) / rounds);
      await world.restartPostgres();
      events.postgresKills += 1;
      await pause((seconds * 100) / rounds);
      await world.loseQueue();
      events.queueLosses += 1;
    }
  })();
  const reporting = setInterval(() => {
    const { oracles } = world.faults.report();
    say(
      `${confirmed.length} confirmed, ${crew.counts.kills} kills, ${oracles.signatures} signatures, ${oracles.violations.length} violations`,
    );
  }, 15_000);
  await Promise.all([asking, killing, breaking]);
  await Promise.all(pending);
  clearInterval(reporting);

  world.faults.setPlan({});
  world.proxy.setFaults({});
  say('the storm is over');
  const calmAt = Date.now();
  await settle(SETTLE_MS);
  const settleMs = Date.now() - calmAt;
  // Payouts that follow from the last trades.
  await pause(3_000);
  await settle(SETTLE_MS);

  const found = await audit(world, confirmed);
  const { calls, fired, oracles } = world.faults.report();
  const problems = [
    ...oracles.violations.map((one) => JSON.stringify(one)),
    ...found.contradictions,
    ...found.stuck.map((one) => `stuck: ${one}`),
    ...found.ledgerProblems,
    ...crew.counts.bugs,
    ...(found.lost > 0 ? [`${found.lost} confirmed intents are lost`] : []),
    ...(doubles > 0 ? [`${doubles} double taps made two intents`] : []),
    ...(oracles.checked === 0 ? ['the write-ahead oracle was never asked'] : []),
  ];
  console.log(
    JSON.stringify(
      {
        seed,
        seconds: Math.round(performance.now() / 1_000),
        queue: redisUrl === null ? 'postgres' : 'redis',
        intents: found.intents,
        byEnd: found.byEnd,
        kills: crew.counts.kills,
        killedAtCrashPoints: crew.counts.ownDeaths,
        workersStarted: crew.counts.started,
        ...events,
        proxy: world.proxy.report(),
        rpcCalls: calls,
        faults: fired,
        signatures: oracles.signatures,
        writeAheadChecked: oracles.checked,
        writeAheadUnchecked: oracles.unchecked,
        deadAttempts: found.deadAttempts,
        settledAfterMs: settleMs,
        doubleEffects: found.doubleEffects,
        violations: oracles.violations.length,
        lost: found.lost,
        stuck: found.stuck.length,
      },
      null,
      2,
    ),
  );
  for (const problem of problems.slice(0, 50)) console.log(`PROBLEM ${problem}`);
  return problems.length > 0;
}

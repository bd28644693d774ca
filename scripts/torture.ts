/**
 * `npm run torture -- --minutes N --seed S [--intents M] [--orders O] [--kills K] [--workers W] [--redis URL] |
 * --short`: real worker processes on the real adapters. The chain loses, drops, delays, forks and lags. A proxy cuts at COMMIT; there are
 * `kill -9`, a killed Postgres and a lost queue. Prints a report. Exits 1 when anything was done twice, lost, stuck or sent too early, and
 * when the storm was weaker than it claims to be. No time fails it: times are printed beside a yardstick of the same minute. Ctrl-C ends
 * the storm early and reports. `npm run torture -- --calls N --seed S [--callers C] [--plant FAULT | --report FILE]`: callers of the REST API
 * in place of people; see `scripts/torture/calls`. `npm run torture:add-up` adds the runs of such reports up. `--short --plant FAULT`: a fault
 * in the exits by an event, of `scripts/torture/plants.ts`, which the run must find. The Redis of `--redis` or REDIS_URL carries the queue and
 * is FLUSHED: never name one that holds anything.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../test/support/simulator/random.ts';
import { createAsker } from './torture/ask.ts';
import { auditTorture } from './torture/audit.ts';
import { auditEvents, findWaiting, takeOut } from './torture/audit-events.ts';
import { auditOrders, findForgotten } from './torture/audit-orders.ts';
import { tortureCalls } from './torture/calls/command.ts';
import { composeProcess } from './torture/compose.ts';
import { nameCreator } from './torture/events.ts';
import type { EventProblem } from './torture/judge-events.ts';
import { readCallsOptions, readTortureOptions } from './torture/options.ts';
import { createOrderPeople } from './torture/order-people.ts';
import { createRequests, settlePeople } from './torture/people.ts';
import { EVENT_PLANTS, type EventPlantName } from './torture/plants.ts';
import { createPriceMover } from './torture/price-mover.ts';
import { measureRecoveries } from './torture/recoveries.ts';
import { printReport, problemsOf } from './torture/report.ts';
import { waitUntilSettled } from './torture/settle.ts';
import { rage } from './torture/storm.ts';
import { bundleWorker, createCrew } from './torture/workers.ts';
import { startWorld } from './torture/world.ts';
import { yardstickMs } from './torture/yardstick.ts';

const SLOT_MS = 50;
/** When to give up while nothing ends: the sweeper, leases and windows of 151 slots are long over by then. */
const STUCK_AFTER_MS = 240_000;
/** An intent that was committed longer ago than this was seen by the last look. */
const COMMIT_MS = 5_000;
/** In fair weather an order whose price is there is found within a lease's end, a look and a back-off. */
const ORDERS_CATCH_UP_MS = 20_000;

const calls = readCallsOptions(process.argv.slice(2));
if (calls !== null) process.exit((await tortureCalls(calls)) ? 0 : 1);
const options = readTortureOptions(process.argv.slice(2));
let stopping = false;
/** Ends the storm early; all work until then is settled, audited and reported as always. */
process.once('SIGINT', () => {
  stopping = true;
});
const size =
  options.plant !== null
    ? { people: 10, recovering: 0 }
    : options.short
      ? { people: 16, recovering: 10 }
      : { people: 40, recovering: 30 };
const say = (text: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${text}`);
const file = await bundleWorker(options.plant);
const world = await startWorld({
  slotMs: SLOT_MS,
  seed: `torture-${options.seed}`,
  redisUrl: options.redisUrl,
});
const client = await composeProcess({ ...world.processOptions, crashAt: null });
const crew = createCrew(file, options.workers, () => ({ ...world.processOptions, crashAt: null }));
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
  const random = seededRandom(options.seed);
  const people = await settlePeople(client, world, size.people);
  const requests = await createRequests(client, world, people, random);
  const asker = createAsker(client, random);
  // No person changes their mind here: a person without holdings has nothing to sell.
  for (const request of requests.stock) await asker.ask(request, { faithful: true });
  if ((await waitUntilSettled(world, 120_000)).open > 0)
    throw new Error('the stock was not bought even in fair weather');
  await requests.open();
  const [, rich] = people;
  if (rich === undefined) throw new Error('nobody is rich');
  const orderPeople = createOrderPeople(client, world, people.slice(4), random, {
    falls: options.plant !== null,
  });
  const mover = await createPriceMover(client, world, rich, orderPeople.mint, random);
  const creator = rich.wallet.address;
  await nameCreator(world, orderPeople.mint, creator);
  let fellAt: bigint | null = null;
  const fall = (): void => {
    fellAt = takeOut(world, orderPeople.mint);
    say('the makers took most of the liquidity out');
  };
  say(
    `${people.length} people are ready; ${options.intents} intents, ${options.orders} orders, ${options.kills} kills, ${options.seconds} s of storm`,
  );
  const stop = (): boolean => stopping;
  const storm = await rage({
    options,
    world,
    crew,
    asker,
    requests,
    orderPeople,
    mover,
    fall,
    random,
    say,
    stop,
  });

  world.calm();
  say('the storm is over');
  const settled = await waitUntilSettled(world, STUCK_AFTER_MS);
  const settledYardstick = yardstickMs();
  say(`everything has ended after ${settled.ms} ms (yardstick ${settledYardstick} ms)`);
  await pause(ORDERS_CATCH_UP_MS);
  const forgotten = await findForgotten(client, world);
  const waits = await findWaiting(world, client.orders.db);
  // The next figures are measured without orders that fire beside them.
  await client.orders.db.flags.set('orders-paused', true, Date.now());
  await waitUntilSettled(world, STUCK_AFTER_MS);
  const recoveries = await measureRecoveries({ count: size.recovering, world, crew, asker, requests, say });
  // Payouts that follow from the last trades.
  await waitUntilSettled(world, STUCK_AFTER_MS);

  const found = await auditTorture(world, client, {
    confirmed: asker.confirmed,
    settledAt: Date.now() - COMMIT_MS,
  });
  const orders = await auditOrders(world, client, orderPeople.placed);
  const { mint } = orderPeople;
  const events = await auditEvents(world, { db: client.orders.db, mint, creator, fellAt, waits });
  const yardsticks = { settled: settledYardstick, recovered: yardstickMs() };
  const report = {
    options,
    storm,
    settledMs: settled.ms,
    yardsticks,
    recoveries,
    found,
    orders,
    events,
    forgotten,
    placed: orderPeople.placed,
    asker,
    crew,
    world,
  };
  const problems = problemsOf(report);
  printReport(report);
  for (const problem of problems.slice(0, 50)) console.log(`PROBLEM ${problem}`);
  return options.plant === null ? problems.length > 0 : !isFound(options.plant, events.problems);
}

/** Says whether the judge of the events found a planted fault by one of its rules. */
function isFound(plant: EventPlantName, problems: readonly EventProblem[]): boolean {
  const rules = new Set(problems.map(({ rule }) => rule));
  const found = EVENT_PLANTS[plant].found.filter((rule) => rules.has(rule));
  console.log(
    found.length > 0 ? `the planted ${plant} was found: ${found.join(', ')}` : `${plant} was NOT found`,
  );
  return found.length > 0;
}

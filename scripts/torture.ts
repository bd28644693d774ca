/**
 * `npm run torture -- --minutes N --seed S [--intents M] [--orders O] [--kills K] [--workers W] [--redis URL] |
 * --short`: real worker processes on the real adapters. The chain loses, drops, delays, forks and lags. A proxy cuts at COMMIT; there are
 * `kill -9`, a killed Postgres and a lost queue. Prints a report. Exits 1 when anything was done twice, lost, stuck or sent too early, and
 * when the storm was weaker than it claims to be. No time fails it: times are printed beside a yardstick of the same minute. Ctrl-C ends
 * the storm early and reports. The Redis of `--redis` or REDIS_URL carries the queue and is FLUSHED: never name one that holds anything.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../test/support/simulator/random.ts';
import { createAsker } from './torture/ask.ts';
import { auditTorture } from './torture/audit.ts';
import { auditOrders, findForgotten } from './torture/audit-orders.ts';
import { composeProcess } from './torture/compose.ts';
import { readTortureOptions } from './torture/options.ts';
import { createOrderPeople } from './torture/order-people.ts';
import { createRequests, settlePeople } from './torture/people.ts';
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

const options = readTortureOptions(process.argv.slice(2));
let stopping = false;
/** Ends the storm early; all work until then is settled, audited and reported as always. */
process.once('SIGINT', () => {
  stopping = true;
});
const size = options.short ? { people: 16, recovering: 10 } : { people: 40, recovering: 30 };
const say = (text: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${text}`);
const file = await bundleWorker();
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
  const orderPeople = createOrderPeople(client, world, people.slice(4), random);
  const mover = await createPriceMover(client, world, rich, orderPeople.mint, random);
  say(
    `${people.length} people are ready; ${options.intents} intents, ${options.orders} orders, ${options.kills} kills, ${options.seconds} s of storm`,
  );
  const stop = (): boolean => stopping;
  const storm = await rage({ options, world, crew, asker, requests, orderPeople, mover, random, say, stop });

  world.calm();
  say('the storm is over');
  const settled = await waitUntilSettled(world, STUCK_AFTER_MS);
  const settledYardstick = yardstickMs();
  say(`everything has ended after ${settled.ms} ms (yardstick ${settledYardstick} ms)`);
  await pause(ORDERS_CATCH_UP_MS);
  const forgotten = await findForgotten(client, world);
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
  const yardsticks = { settled: settledYardstick, recovered: yardstickMs() };
  const report = {
    options,
    storm,
    settledMs: settled.ms,
    yardsticks,
    recoveries,
    found,
    orders,
    forgotten,
    placed: orderPeople.placed,
    asker,
    crew,
    world,
  };
  const problems = problemsOf(report);
  printReport(report);
  for (const problem of problems.slice(0, 50)) console.log(`PROBLEM ${problem}`);
  return problems.length > 0;
}

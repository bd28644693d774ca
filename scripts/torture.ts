/**
 * `npm run torture -- --minutes N --seed S [--intents M] [--orders O] [--kills K] [--workers W] [--redis URL] |
 * --short`: real worker processes on the real adapters. The chain loses, drops, delays, forks and lags. A proxy cuts at COMMIT; there are
 * `kill -9`, a killed Postgres and a lost queue. Prints a report. Exits 1 when anything was done twice, lost, stuck or sent too early, and
 * when the storm was weaker than it claims to be. No time fails it: times are printed beside a yardstick of the same minute. Ctrl-C ends
 * the storm early and reports. `npm run torture -- --calls N --seed S [--callers C] [--plant FAULT | --report FILE]`: callers of the REST API
 * in place of people; see `scripts/torture/calls`. `npm run torture:add-up` adds the runs of such reports up. `--short --plant FAULT`: a fault
 * of `scripts/torture/plants.ts`, in the exits by an event or in the signer. Every run with a fault exits 1 where a judge named it, 3 where it was
 * missed. `--writer`, `--lying-worker`: the product's own signer in a process of its own, a writer of rows and a worker that lies.
 * `--two-signers`: two of them over the network, each killed and held up. The Redis of `--redis` or REDIS_URL carries the queue and is
 * FLUSHED: never name one that holds anything.
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createPrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { seededRandom } from '../test/support/simulator/random.ts';
import { createAsker } from './torture/ask.ts';
import { auditTorture } from './torture/audit.ts';
import { auditEvents, findWaiting, takeOut } from './torture/audit-events.ts';
import { createMoveAudit } from './torture/audit-moves.ts';
import { auditOrders, findForgotten } from './torture/audit-orders.ts';
import { auditSigners, auditTerms, noteTerms } from './torture/audit-signers.ts';
import { tortureCalls } from './torture/calls/command.ts';
import { composeProcess } from './torture/compose.ts';
import { endOfPlant } from './torture/end-of-plant.ts';
import { nameCreator } from './torture/events.ts';
import { startLyingWorker } from './torture/liars.ts';
import { readCallsOptions, readTortureOptions } from './torture/options.ts';
import { createOrderPeople } from './torture/order-people.ts';
import { createRequests, settlePeople } from './torture/people.ts';
import {
  EVENT_PLANTS,
  HOSTILE_PLANTS,
  isHostilePlant,
  isSignersPlant,
  SIGNERS_PLANTS,
} from './torture/plants.ts';
import { createPriceMover } from './torture/price-mover.ts';
import { measureRecoveries } from './torture/recoveries.ts';
import { printReport, problemsOf } from './torture/report.ts';
import { waitUntilSettled } from './torture/settle.ts';
import { startSigner, type TortureSigner } from './torture/signer.ts';
import { rage } from './torture/storm.ts';
import { harmSigners, harmsIn, startTwoSigners, type TwoSigners } from './torture/two-signers.ts';
import { watchMoves } from './torture/watch-moves.ts';
import { bundleProcess, bundleWorker, createCrew } from './torture/workers.ts';
import { startWorld } from './torture/world.ts';
import { createWriter } from './torture/writer.ts';
import { yardstickMs } from './torture/yardstick.ts';

const SLOT_MS = 50;
/** When to give up while nothing ends: the sweeper, leases and windows of 151 slots are long over by then. */
const STUCK_AFTER_MS = 240_000;
/** Under a fault of the signer some never end: by then each sent transaction is final, and blocks are judged. */
const LANDED_MS = 15_000;
/** An intent that was committed longer ago than this was seen by the last look. */
const COMMIT_MS = 5_000;
/** People whose rows the writer changes. */
const VICTIMS = 5;
/** Ids of a person's wallet and its address. */
const walletsOf = new Map<string, readonly string[]>();
/** In fair weather an order whose price is there is found within a lease's end, a look and a back-off. */
const ORDERS_CATCH_UP_MS = 20_000;
/** Of Postgres: signers have ten each, and who is killed leaves some behind for a moment. */
const CONNECTIONS_OF_TWO = 100;

const calls = readCallsOptions(process.argv.slice(2));
if (calls !== null) process.exit(await tortureCalls(calls));
const options = readTortureOptions(process.argv.slice(2));
let stopping = false;
/** Ends the storm early; all work until then is settled, audited and reported as always. */
process.once('SIGINT', () => {
  stopping = true;
});
const size =
  options.plant !== null
    ? { people: isHostilePlant(options.plant) || isSignersPlant(options.plant) ? 16 : 10, recovering: 0 }
    : options.short
      ? { people: 16, recovering: 10 }
      : { people: 40, recovering: 30 };
const say = (text: string): void => console.log(`${Math.round(performance.now() / 1_000)} s  ${text}`);
const { plant } = options;
const eventPlant = isHostilePlant(plant) || isSignersPlant(plant) ? null : plant;
const signerPlant = isHostilePlant(plant)
  ? HOSTILE_PLANTS[plant]
  : isSignersPlant(plant)
    ? SIGNERS_PLANTS[plant]
    : null;
const file = await bundleWorker(eventPlant);
const isApart = options.writer || options.lyingWorker || options.twoSigners;
const files = [file];
const world = await startWorld({
  slotMs: SLOT_MS,
  seed: `torture-${options.seed}`,
  redisUrl: options.redisUrl,
  ...(options.twoSigners ? { connections: CONNECTIONS_OF_TWO } : {}),
});
const { signer, one, two } = await openSigners();
const asked = (caller: 'bot' | 'worker') => ({
  ...world.processOptions,
  signer: signer?.placesFor(caller) ?? null,
  crashAt: null,
});
const client = await composeProcess(asked('bot'));
const crew = createCrew(file, options.workers, () => asked('worker'));
let end = 1;
try {
  end = await torture();
} finally {
  await crew.close();
  await client.close().catch(() => undefined);
  await signer?.stop();
  await world.stop();
  for (const one of files) rmSync(one, { force: true });
}
process.exit(end);

/** Signers of processes of their own, on a database that has its tables: one or two; none where each process has its own. */
async function openSigners(): Promise<{
  readonly signer: TortureSigner | null;
  readonly one: Awaited<ReturnType<typeof startSigner>> | null;
  readonly two: TwoSigners | null;
}> {
  if (!isApart) return { signer: null, one: null, two: null };
  await (await createPrismaDatabase({ url: world.processOptions.databaseUrl })).close();
  const bundled = await bundleProcess('scripts/torture/signer-process.ts', signerPlant);
  files.push(bundled);
  if (options.twoSigners) {
    await noteTerms(world);
    const two = await startTwoSigners(bundled, world.processOptions);
    return { signer: two, one: null, two };
  }
  const one = await startSigner(bundled, world.processOptions);
  return { signer: one, one, two: null };
}

async function startLiar() {
  const bundled = await bundleProcess('scripts/torture/lying-worker.ts');
  files.push(bundled);
  return startLyingWorker(bundled, { ...asked('worker'), seed: options.seed });
}

/** Victims of the writer, and all that is theirs, by id. */
async function excusedIds(victims: readonly string[]): Promise<ReadonlySet<string>> {
  if (victims.length === 0) return new Set();
  const ids = victims.map((id) => `'${id}'`).join(', ');
  const rows = await world.query(
    `SELECT id FROM intents WHERE user_id IN (${ids}) UNION SELECT id FROM wallets WHERE user_id IN (${ids})
     UNION SELECT id FROM orders WHERE user_id IN (${ids}) UNION SELECT id FROM order_groups WHERE user_id IN (${ids})`,
  );
  const own = world.victims.flatMap((id) => walletsOf.get(id) ?? []);
  return new Set([...victims, ...own, ...rows.map(({ id = '' }) => id)]);
}

/** The exit code: 0 where all is right, 1 where a judge named a problem, and `endOfPlant` where a fault is planted. */
async function torture(): Promise<number> {
  const random = seededRandom(options.seed);
  const people = await settlePeople(client, world, size.people, {
    pins: isApart ? { last: VICTIMS } : 'none',
  });
  for (const { userId, wallet } of people) walletsOf.set(userId, [wallet.id, wallet.address]);
  const requests = await createRequests(client, world, people, random);
  const wallets = new Map(people.map(({ wallet }) => [wallet.id, wallet.address]));
  const asker = createAsker(
    client,
    random,
    (walletId) => wallets.get(walletId),
    (userId) => world.victims.includes(userId),
  );
  // No person changes their mind here: a person without holdings has nothing to sell.
  for (const request of requests.stock) await asker.ask(request, { faithful: true });
  if ((await waitUntilSettled(world, 120_000)).open > 0)
    throw new Error('the stock was not bought even in fair weather');
  await requests.open();
  const [, rich] = people;
  if (rich === undefined) throw new Error('nobody is rich');
  const victims = options.writer ? people.slice(-VICTIMS) : [];
  const ordering = people.slice(4).filter(({ hasPin }) => !hasPin);
  const orderPeople = createOrderPeople(client, world, ordering, random, {
    falls: eventPlant !== null,
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
  const moveAudit = () => createMoveAudit(world, { asker, people, placed: orderPeople.placed });
  const judge = isSignersPlant(plant) ? () => auditTerms(world) : moveAudit();
  const watch = signerPlant === null ? null : watchMoves(judge, signerPlant.found);
  const stop = (): boolean => stopping || watch?.isOver() === true;
  // Draws of their own: the storm of a seed stays what it was.
  const writer = options.writer
    ? await createWriter(world, client.query, victims, seededRandom(options.seed ^ 0x3713))
    : null;
  world.victims.push(...victims.map(({ userId }) => userId));
  const liar = options.lyingWorker ? await startLiar() : null;
  writer?.start();
  const storm = await rage({
    options,
    world,
    crew,
    asker,
    requests,
    orderPeople,
    mover,
    fall,
    killSigner: one?.kill ?? null,
    harmSigners:
      two === null
        ? null
        : (isOver) =>
            harmSigners({
              signers: two,
              world,
              count: harmsIn(options.seconds),
              random: seededRandom(options.seed ^ 0x2516),
              say,
              isOver,
            }),
    random,
    say,
    stop,
  });

  await Promise.all([writer?.stop(), liar?.stop(), watch?.stop()]);
  world.calm();
  say('the storm is over');
  if (signerPlant !== null) {
    await waitUntilSettled(world, LANDED_MS);
    const { judged, problems: moved } = await moveAudit()();
    const problems = [...moved, ...(two === null ? [] : (await auditTerms(world)).problems)];
    const lies = { refused: liar?.refused, given: liar?.given };
    console.log(JSON.stringify({ judged, writer: writer?.counts, lies, oracles: oracleRules() }, null, 2));
    for (const { rule, what } of problems.slice(0, 50)) console.log(`PROBLEM ${rule}: ${what}`);
    return endOfPlant(`${options.plant}`, signerPlant.found, problems);
  }
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
  const hostile =
    signer === null
      ? null
      : {
          moves: await moveAudit()(),
          writer: writer?.counts ?? null,
          liar,
          signer,
          signers: two === null ? null : await auditSigners(world, two.folders),
          excused: await excusedIds(world.victims),
        };
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
    hostile,
  };
  const problems = problemsOf(report);
  printReport(report);
  for (const problem of problems.slice(0, 50)) console.log(`PROBLEM ${problem}`);
  if (eventPlant !== null) return endOfPlant(eventPlant, EVENT_PLANTS[eventPlant].found, events.problems);
  return problems.length > 0 ? 1 : 0;
}

/** How often the oracles of the wire spoke, by their rule. */
function oracleRules(): Readonly<Record<string, number>> {
  const rules: Record<string, number> = {};
  for (const { rule } of world.faults.report().oracles.violations) rules[rule] = (rules[rule] ?? 0) + 1;
  return rules;
}

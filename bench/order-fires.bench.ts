/**
 * From the slot that completes an order's window to its attempt's commit, with up to 20 orders that fire at once; then STOPS
 * (200 unless set) stops on one token that a dump meets at the same moment. The real bot, services, signer, local chain and
 * embedded Postgres in one process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { jobHandlers } from '../src/compose/create-worker.ts';
import { startLocalPostgres } from '../src/local/postgres/index.ts';
import type { OrderFire, OrderGroup } from '../src/modules/orders/rules/order.ts';
import { compareRates } from '../src/modules/orders/rules/rate.ts';
import type { Wallet } from '../src/modules/wallets/rules/wallet.ts';
import { migrateDatabase } from '../src/platform/db/migrate.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../src/platform/db/prisma-database.ts';
import { createLocalJobs } from '../src/platform/worker/local-jobs.ts';
import { orderDesk } from '../test/journeys/order-desk.ts';
import { type JourneyRig, noTape, startJourneyRig, until } from '../test/journeys/rig.ts';
import { percentile } from './median.ts';
import type { Row } from './run.ts';
import { type Slots, sampleSlots } from './sample-slots.ts';

export const name = 'order-fires';

const SOL = 1_000_000_000n;
const PEOPLE = 50;
const TOGETHER = 20;
const ROUNDS = 8;
const STOPS = Number(process.env['STOPS'] ?? 200);
const LOOK_MS = 100;
const DONE = `SELECT count(*) FILTER (WHERE status = 'FILLED')::int AS traded,
  count(*) FILTER (WHERE status = 'OPEN' AND progress->'note'->>'code' = 'floor')::int AS standing
  FROM orders WHERE id = ANY($1::text[])`;

export async function run(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tradepost-order-fires-'));
  const postgres = await startLocalPostgres({ dir: join(dir, 'postgres') });
  await migrateDatabase({ url: postgres.url });
  const db = await createPrismaDatabase({ url: postgres.url });
  const rig = await startJourneyRig('order-fires', {
    db,
    unlimited: true,
    spendCapLamports: 1_000n * SOL,
    allSpendingLamports: 10_000n * SOL,
  });
  rig.services.relay.here = createLocalJobs({
    handlers: jobHandlers({
      services: { ...rig.services, ...noTape, deliverNotice: rig.deliverNotice },
      log: rig.log,
    }),
    queue: rig.queue,
    clock: rig.clock,
    places: 4,
  });
  const slots = sampleSlots(rig.local.rpcUrl);
  try {
    return await measure(rig, slots, db);
  } finally {
    slots.stop();
    await rig.stop();
    await db.close();
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(
  rig: JourneyRig,
  slots: Slots,
  { query }: Pick<PrismaDatabase, 'query'>,
): Promise<readonly Row[]> {
  const desk = orderDesk(() => rig);
  const mint = rig.token('PUP').mint as Address;
  const whale = await desk.whaleOf('Whale', 600n);
  const people: Wallet[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const { wallet } = await rig.trader(`Holder ${n}`, 3n);
    await desk.trade(wallet, mint, 'buy', SOL);
    people.push(wallet);
  }
  const place = async (wallet: Wallet, permille: bigint, share: bigint): Promise<OrderGroup> => {
    const held = (await rig.chain.holdings(wallet.address)).find((one) => one.mint === mint)?.amount ?? 0n;
    const units = held / share;
    const trigger = await desk.triggerAt(wallet, mint, permille, 'sell', units);
    const stop = desk.draftOf({
      side: 'sell',
      type: 'STOP_LOSS',
      amount: { kind: 'fixed', units },
      trigger,
      hold: 'fast',
    });
    return rig.services.orders.place(desk.groupOf(wallet, mint, [stop]));
  };
  const firesOf = async (groups: readonly OrderGroup[]): Promise<readonly OrderFire[]> => {
    const all = await Promise.all(groups.map(({ orders }) => rig.db.orders.fires(orders[0]?.id ?? '', 1)));
    return all.flatMap(([fire]) => fire ?? []);
  };

  /**
   * Waits until each has traded, or stands at its floor: the sales before it may have pushed the price that far. Resolves to how
   * many stand. One small question now and then: what is measured must not wait behind whoever measures.
   */
  const allDone = async (groups: readonly OrderGroup[]): Promise<number> => {
    const ids = groups.flatMap(({ orders }) => orders.map(({ id }) => id));
    for (;;) {
      const [row] = await query<{ readonly traded: number; readonly standing: number }>(DONE, [ids]);
      if (row !== undefined && row.traded + row.standing === ids.length) return row.standing;
      await pause(LOOK_MS);
    }
  };

  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await desk.trade(whale, mint, 'buy', 20n * SOL);
    const groups: OrderGroup[] = [];
    for (const wallet of people.slice(0, TOGETHER)) groups.push(await place(wallet, 990n, 20n));
    await until(async () => rig.services.watches.orders.size() === groups.length);
    await desk.trade(whale, mint, 'sell', 10_000n);
    await allDone(groups);
    for (const fire of await firesOf(groups)) {
      const [attempt] = await rig.db.intents.attempts(fire.intentId);
      const believedAt = slots.at(fire.slot);
      if (attempt !== undefined && believedAt !== null) latencies.push(attempt.signedAt - believedAt);
    }
  }

  await desk.trade(whale, mint, 'buy', 60n * SOL);
  const stops: OrderGroup[] = [];
  for (let n = 0; n < STOPS; n++) {
    const wallet = people[n % PEOPLE];
    if (wallet !== undefined) stops.push(await place(wallet, 950n, 40n));
  }
  await until(async () => rig.services.watches.orders.size() === stops.length);
  await desk.trade(whale, mint, 'sell', 10_000n);
  const standing = await allDone(stops);
  const fires = await firesOf(stops);
  const first = Math.min(...fires.map(({ slot }) => slots.at(slot) ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...fires.map(({ firedAt }) => firedAt));
  const below = fires.filter(({ orderId, end }) => {
    const floor = stops.find(({ orders }) => orders[0]?.id === orderId)?.orders[0]?.terms.floor ?? null;
    return (
      end?.result === 'settled' &&
      floor !== null &&
      compareRates({ got: end.got, given: end.given }, floor) < 0
    );
  });
  return [
    {
      metric: 'slot to attempt, p50 (20 at once)',
      value: percentile(latencies, 50),
      unit: 'ms',
      note: 'goal <= 300',
    },
    { metric: 'slot to attempt, p99', value: percentile(latencies, 99), unit: 'ms', note: 'goal <= 1000' },
    {
      metric: `${STOPS} stops at once, all committed`,
      value: (last - first) / 1_000,
      unit: 's',
      note: 'goal <= 3',
    },
    { metric: 'stops that stand at their floor', value: standing, unit: '' },
    { metric: 'stops that ended below their floor', value: below.length, unit: '', note: 'must be 0' },
  ];
}

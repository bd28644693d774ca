import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWorker } from '../../../src/compose/create-worker.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { createRelay } from '../../../src/engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { createWatch } from '../../../src/engine/watch/use/watch-attempts.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { createPrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createBullQueue } from '../../../src/platform/queue/bull-queue.ts';
import { DESTINATION } from '../../engine/intents/build.ts';
import { virtualDeps, virtualWorld } from '../../engine/transactions/virtual-world.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { CONFIRMS } from '../../support/signer.ts';
import { addPerson, addWallet, walletOf } from '../../support/simulator/people.ts';

const INTENTS = 6;
const WAIT = 20_000;

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const endsAt = Date.now() + WAIT; !(await holds()); await pause(25)) {
    if (Date.now() > endsAt) throw new Error(`waited in vain for ${what}`);
  }
}

it('an intent whose attempt was sent holds no job, no place and no lease, and ends all the same', async () => {
  const databaseUrl = await createTestDatabase();
  const db = await createPrismaDatabase({ url: databaseUrl });
  const queue = await createBullQueue({ databaseUrl });
  const world = virtualWorld();
  const relay = createRelay({ db, queue, clock: world.clock });
  const deps = virtualDeps(world, db, { relay });
  const step = createStepIntent(deps, { stretchMs: 2_500 });
  const watch = createWatch({ ...deps, step });
  const nothing = async () => undefined;
  try {
    const userId = await addPerson(db, { index: 1, inviterId: null });
    await addWallet(db, { id: 'treasury', userId: null, address: deps.treasury.address });
    world.balances.set(walletOf(1), 100_000_000_000n);
    const ids: string[] = [];
    for (let n = 0; n < INTENTS; n += 1) {
      const { intent } = await createIntent(
        { ...deps, vault: CONFIRMS },
        {
          userId,
          walletId: `wallet-${userId}`,
          idemKey: `key-${n}`,
          params: {
            kind: 'withdraw-sol',
            destination: DESTINATION,
            lamports: 2_000_000_000n,
            everything: false,
            tier: 'normal',
          },
        },
      );
      ids.push(intent.id);
    }
    const every = async (holds: (id: string) => Promise<boolean>): Promise<boolean> =>
      (await Promise.all(ids.map(holds))).every(Boolean);
    // One place: what waited in it would keep the others from ever being sent.
    const worker = await createWorker({
      runner: queue,
      queue,
      relay,
      watch,
      clock: world.clock,
      concurrency: 1,
      log: { warn: () => undefined, error: () => undefined },
      services: {
        stepIntent: async (id) => {
          const result = await step(id);
          return watch.follow(id, result) ? { kind: 'done' } : result;
        },
        sendMail: async () => ({ kind: 'done' }),
        sweepMails: async () => undefined,
        deliverNotice: async () => ({ kind: 'done' }),
        collectPayouts: () => collectPayouts({ ...deps, minimumLamports: 0n }),
        refreshPools: nothing,
        watchBuilds: nothing,
        judgeTrades: nothing,
        moveMarketWindows: async () => undefined,
        indexTokens: async () => undefined,
        workOutTrending: async () => undefined,
        keepTape: async () => undefined,
        watchLaunches: nothing,
        settlePoints: nothing,
        keepPositions: nothing,
        cleanUp: nothing,
        sweep: nothing,
      },
    }).start();
    await relay.run();
    await until(
      () => every(async (id) => (await db.intents.attempts(id))[0]?.sendCount === 1),
      'every intent to be sent',
    );
    const jobs = async () =>
      (await administer(databaseUrl, `SELECT id FROM bullmq.job WHERE name = 'intent.step'`)).length;
    await until(async () => (await jobs()) === 0, 'the queue to be empty');
    expect(await every(async (id) => (await db.intents.find(id))?.status === 'ACTIVE')).toBe(true);
    expect(await every(async (id) => (await db.intents.find(id))?.leaseOwner === null)).toBe(true);
    expect(watch.size()).toBe(INTENTS);

    world.clock.advance(20_000);
    await until(
      () => every(async (id) => (await db.intents.find(id))?.status === 'SUCCEEDED'),
      'every intent to end',
    );
    expect(await jobs()).toBe(0);
    await worker.stop();
  } finally {
    await queue.close();
    await db.close();
  }
});

import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { assertMayStoreSignature } from '../../../src/engine/switches/use/assert-may-sign.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { removeAddress } from '../../../src/modules/guard/use/address-book.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { DESTINATION } from '../../engine/intents/build.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { WITHOUT_PIN } from '../../support/signer.ts';
import { guardRig } from './guard-rig.ts';

const opened: PrismaDatabase[] = [];
afterAll(async () => {
  for (const db of opened) await db.close();
});

async function setUp() {
  const url = await createTestDatabase();
  const db = await createPrismaDatabase({ url });
  opened.push(db);
  const { deps, user, wallet, clock } = await guardRig(db, fakePins(), 1);
  const { intent } = await createIntent(
    { ...deps, vault: WITHOUT_PIN },
    {
      userId: user.id,
      walletId: wallet.id,
      idemKey: 'key-1',
      params: {
        kind: 'withdraw-sol',
        destination: DESTINATION,
        lamports: 1_000_000n,
        everything: false,
        tier: 'normal',
      },
    },
  );
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  onTestFinished(() => watcher.end());
  const waiting = async (): Promise<number> => {
    const { rows } = await watcher.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  };
  return { db, deps, user, wallet, clock, intent, waiting };
}

describe('a switch that is thrown while a signature is being stored', () => {
  it.each(['freeze', 'operator', 'address'] as const)(
    'waits for that commit (%s), and nothing is stored after it',
    async (which) => {
      const { db, deps, user, wallet, clock, intent, waiting } = await setUp();
      const entry = await db.addressBook.insert(PASSED, {
        id: 'entry-1',
        name: 'Mine',
        userId: user.id,
        walletId: wallet.id,
        address: DESTINATION,
        addedAt: 0,
      });
      const thrown = (): Promise<unknown> => {
        if (which === 'freeze') return freezeAccount(deps, { userId: user.id });
        if (which === 'operator') return db.flags.set('signing-paused', true, clock.now());
        return removeAddress(deps, { userId: user.id, id: entry.id });
      };
      const waited = { ...intent, notBefore: clock.now() };
      const order: string[] = [];
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const storing = db.transact(async (stores) => {
        await assertMayStoreSignature(stores, waited, { terms: null }, clock.now());
        order.push('checked');
        await gate;
        order.push('stored');
      });
      await expect.poll(() => order).toEqual(['checked']);
      const throwing = thrown().then(() => order.push('thrown'));
      await expect.poll(waiting).toBeGreaterThan(0);
      release();
      await Promise.all([storing, throwing]);
      expect(order).toEqual(['checked', 'stored', 'thrown']);
      await expect(
        db.transact((stores) => assertMayStoreSignature(stores, waited, { terms: null }, clock.now())),
      ).rejects.toMatchObject({ code: which === 'address' ? 'ADDRESS_NOT_READY' : 'SIGNING_PAUSED' });
    },
  );

  it('lets signatures of many people be stored at once', async () => {
    const { db, clock, intent } = await setUp();
    const nobody = { ...intent, userId: null };
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 4 }, () =>
        db.transact(async (stores) => {
          await assertMayStoreSignature(stores, nobody, { terms: null }, clock.now());
          inside += 1;
          most = Math.max(most, inside);
          await expect.poll(() => most).toBe(4);
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(4);
  });
});

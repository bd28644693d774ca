import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { startTcpProxy, type TcpProxy } from '../support/proxy/tcp-proxy.ts';
import { CONFIRMS } from '../support/signer.ts';
import { addPerson, requestOf } from '../support/simulator/people.ts';

/** A firewall that forgot the connection: it stands on both sides, and nothing passes any more. */
describe('connections to Postgres that are open on one side only', () => {
  let proxy: TcpProxy;
  let db: PrismaDatabase;
  beforeEach(async () => {
    const real = new URL(await createTestDatabase());
    proxy = await startTcpProxy({ host: real.hostname, port: Number(real.port || 5432) });
    const url = new URL(real);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    db = await createPrismaDatabase({ url: url.href, statementTimeoutMs: 1_500 });
    await addPerson(db, { index: 1, inviterId: null });
  });
  afterEach(async () => {
    proxy.cut();
    await db.close();
    await proxy.stop();
  });

  it('end a statement in words of the product, and are replaced', async () => {
    await db.ping();
    proxy.setFaults({ halfOpen: true });
    await expect(db.ping()).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    await expect(db.intents.find('nothing')).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    proxy.setFaults({});
    await expect.poll(() => db.intents.find('nothing').catch(() => 'down'), { timeout: 15_000 }).toBeNull();
  });

  it('in the middle of a unit of work lose and double nothing', async () => {
    const deps = {
      db,
      clock: fakeClock(),
      ids: fakeIds(),
      relay: { nudge: () => undefined },
      vault: CONFIRMS,
    };
    const request = { ...requestOf(1, 'withdraw-sol'), idemKey: 'half' };
    await expect(
      db.transact(async (stores) => {
        await stores.flags.hold();
        proxy.setFaults({ halfOpen: true });
        await stores.intents.find('nothing');
      }),
    ).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    await expect(createIntent(deps, request)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    proxy.setFaults({});
    proxy.cut();
    await expect
      .poll(
        () =>
          createIntent(deps, request).then(
            ({ intent }) => intent.status,
            () => 'down',
          ),
        { timeout: 15_000 },
      )
      .toBe('CREATED');
    expect(await db.intents.listByUser(request.userId, { limit: 10 })).toHaveLength(1);
  });
});

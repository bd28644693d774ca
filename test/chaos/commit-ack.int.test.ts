import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakes/clock.ts';
import { fakeIds } from '../support/fakes/ids.ts';
import { startTcpProxy, type TcpProxy } from '../support/proxy/tcp-proxy.ts';
import { CONFIRMS } from '../support/signer.ts';
import { addPerson, requestOf } from '../support/simulator/people.ts';

describe('Postgres behind a proxy', () => {
  let proxy: TcpProxy;
  let url: URL;
  let db: PrismaDatabase;
  beforeEach(async () => {
    const real = new URL(await createTestDatabase());
    proxy = await startTcpProxy({ host: real.hostname, port: Number(real.port || 5432) });
    url = new URL(real);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    db = await createPrismaDatabase({ url: url.href });
  });
  afterEach(async () => {
    await db.close();
    await proxy.stop();
  });

  it('loses exactly the acknowledgement: the row is there, the client saw an error', async () => {
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE witness (n int)');
    await client.query('BEGIN');
    await client.query('INSERT INTO witness VALUES (1)');
    proxy.setFaults({ cutCommit: () => true });
    await expect(client.query('COMMIT')).rejects.toThrow();
    proxy.setFaults({});
    expect(proxy.report().commitCuts).toBe(1);
    const second = new pg.Client({ connectionString: url.href });
    await second.connect();
    onTestFinished(() => second.end());
    expect((await second.query<{ n: number }>('SELECT n FROM witness')).rows).toEqual([{ n: 1 }]);
  });

  it('makes one intent of a confirmation whose acknowledgement was lost and which is therefore repeated', async () => {
    await addPerson(db, { index: 1, inviterId: null });
    const deps = {
      db,
      clock: fakeClock(),
      ids: fakeIds(),
      relay: { nudge: () => undefined },
      vault: CONFIRMS,
    };
    let cuts = 1;
    proxy.setFaults({ cutCommit: () => cuts-- > 0 });
    const request = { ...requestOf(1, 'withdraw-sol'), idemKey: 'once' };
    await expect(createIntent(deps, request)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
    expect(proxy.report().commitCuts).toBe(1);
    const stored = await db.intents.findByKey('once');
    expect(await createIntent(deps, request)).toMatchObject({ created: false, intent: { id: stored?.id } });
    expect(await db.intents.listByUser(request.userId, { limit: 10 })).toHaveLength(1);
  });

  it('recovers from connections that were cut, and says so while nothing passes', async () => {
    await db.ping();
    expect(proxy.cut()).toBeGreaterThan(0);
    await expect
      .poll(() =>
        db.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up');
    proxy.setFaults({ latencyMs: 20 });
    expect(await db.ping()).toBeGreaterThan(10);
    expect(inject('postgresUrl')).not.toContain(String(proxy.port));
  });
});

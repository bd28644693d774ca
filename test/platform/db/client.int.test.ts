import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/platform/db/client.ts';
import { administer, createTestDatabase } from '../../support/database.ts';

it('survives that Postgres ends a connection which is lent and idle', async () => {
  const url = await createTestDatabase();
  const { prisma, pool } = createClient({ url, poolSize: 2 });
  onTestFinished(async () => {
    await prisma.$disconnect();
    await pool.end();
  });
  const lent = await pool.connect();
  const { rows } = await lent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // Without a listener the event would end the process, and this run with it: said here before it comes to that.
  expect(lent.listenerCount('error')).toBeGreaterThan(0);
  const ended = new Promise<void>((resolve) => lent.once('end', () => resolve()));
  await administer(url, `SELECT pg_terminate_backend(${rows[0]?.pid})`);
  await ended;
  await expect(lent.query('SELECT 1')).rejects.toThrow();
  lent.release(true);
  expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

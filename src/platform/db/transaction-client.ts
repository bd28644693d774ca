import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.ts';

type Ask = pg.ClientBase['query'];

/** One per connection of the pool, made when a transaction first calls a model on it. Goes away with the connection. */
const clients = new WeakMap<pg.PoolClient, PrismaClient>();
const lines = new WeakMap<pg.PoolClient, Ask>();

/** The driver's own waiting line is deprecated: statements that are asked for side by side wait here, models' too. */
export function oneByOne(client: pg.PoolClient): Ask {
  const known = lines.get(client);
  if (known) return known;
  let last: Promise<unknown> = Promise.resolve();
  const ask = ((...args: Parameters<Ask>) => {
    const mine = last.then(() => client.query(...args));
    last = mine.catch(() => undefined);
    return mine;
  }) as Ask;
  lines.set(client, ask);
  return ask;
}

/**
 * A client of Prisma whose statements all run on `client`, in the transaction that is open there. A call that Prisma would wrap
 * in a transaction of its own (a nested write) throws: its COMMIT would end ours.
 */
export function clientOn(pool: pg.Pool, client: pg.PoolClient): PrismaClient {
  const known = clients.get(client);
  if (known) return known;
  const made = new PrismaClient({ adapter: new PrismaPg(poolOf(pool, client)) });
  clients.set(client, made);
  return made;
}

/** The adapter takes a pool: this one has `client` alone. It adds no listeners to the real one, which outlives it. */
function poolOf(pool: pg.Pool, client: pg.PoolClient): pg.Pool {
  const own: Partial<Record<PropertyKey, unknown>> = {
    query: oneByOne(client),
    on: () => pool,
    removeListener: () => pool,
    connect: () => {
      throw new Error('a model call in a transaction must be one statement: Prisma wanted one of its own');
    },
  };
  return new Proxy(pool, { get: (target, name) => own[name] ?? Reflect.get(target, name) });
}

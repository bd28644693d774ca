import { setTimeout as pause } from 'node:timers/promises';
import { addressFromBytes } from '@tradepost/solana';
import pg from 'pg';
import type { DatabaseRole } from '../../src/platform/db/grants.ts';
import { rolesPlan } from '../../src/platform/db/roles.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import { columnsOf, type DeclaredTable } from '../../test/trust/columns.ts';
import type { Person } from './people.ts';
import type { TortureWorld } from './world.ts';

/** Where a thief wants everything. */
export const THIEF = addressFromBytes(new Uint8Array(32).fill(66));

const PREFIX = 'tp_';
const ROLES = ['bot', 'worker', 'api'] as const satisfies readonly DatabaseRole[];
/** Tables with a column that names their person. */
const TABLES = [
  'users',
  'wallets',
  'guards',
  'address_book',
  'intents',
  'orders',
] as const satisfies readonly DeclaredTable[];
const OWNER: Readonly<Record<(typeof TABLES)[number], string>> = {
  users: 'id',
  wallets: 'user_id',
  guards: 'user_id',
  address_book: 'user_id',
  intents: 'user_id',
  orders: 'user_id',
};
/** A signature or an intent that is gone puts the fence up, for everybody: the simulator plays that. */
const FENCES: ReadonlySet<string> = new Set(['intents.id', 'orders.id', 'users.id', 'wallets.id']);
const BETWEEN_MS = 40;

type Statement = { readonly what: string; readonly sql: string };

/**
 * A writer of the database during the storm, with the rights of one of the product's roles at a time, or all of them. It changes rows of its
 * victims alone: all is promised for everybody else. Columns come from the registry.
 */
export async function createWriter(
  world: Pick<TortureWorld, 'url' | 'query'>,
  query: Parameters<typeof rolesPlan>[0],
  victims: readonly Person[],
  random: Random,
) {
  for (const statement of await rolesPlan(query, { prefix: PREFIX })) await world.query(statement);
  const counts = { changed: 0, refused: 0, terms: 0 };
  const ids = victims.map(({ userId }) => `'${userId}'`).join(', ');
  let isOn = false;

  const places = TABLES.flatMap((table) =>
    (['sealed', 'bounded'] as const).flatMap((kind) =>
      columnsOf(table, kind).flatMap((column) =>
        FENCES.has(`${table}.${column}`) ? [] : [{ table, column, owner: OWNER[table] }],
      ),
    ),
  );

  /** Another value of one row of a victim: another victim's, or one that is near. */
  function anyColumn(): Statement {
    const { table, column, owner } = random.pick(places);
    const row = `(SELECT ctid FROM ${table} WHERE ${owner} IN (${ids}) ORDER BY random() LIMIT 1)`;
    const others = `(SELECT other.${column} FROM ${table} AS other WHERE other.${owner} IN (${ids}) ORDER BY random() LIMIT 1)`;
    return {
      what: `${table}.${column}`,
      sql: `UPDATE ${table} SET ${column} = ${others} WHERE ctid = ${row}`,
    };
  }

  /** Other terms of what a victim confirmed a moment ago. */
  function terms(): Statement {
    const open = `user_id IN (${ids}) AND status IN ('CREATED', 'ACTIVE')`;
    return random.pick([
      {
        what: 'destination',
        sql: `UPDATE intents SET params = jsonb_set(params, '{destination}', '"${THIEF}"') WHERE kind LIKE 'withdraw%' AND ${open}`,
      },
      {
        what: 'amount',
        sql: `UPDATE intents SET params = jsonb_set(params, '{lamports,$bigint}', '"900000000"') WHERE kind = 'withdraw-sol' AND ${open}`,
      },
      {
        what: 'minimum',
        sql: `UPDATE intents SET params = jsonb_set(params, '{terms,minOut,$bigint}', '"1"') WHERE kind IN ('buy', 'sell') AND ${open}`,
      },
    ]);
  }

  async function act(): Promise<void> {
    const isTerms = random.chance(0.5);
    const { sql } = isTerms ? terms() : anyColumn();
    const role = random.chance(0.5) ? null : random.pick(ROLES);
    const client = new pg.Client({ connectionString: world.url() });
    client.on('error', () => undefined);
    try {
      await client.connect();
      // As a superuser, whom no foreign key stops; or as the role, whose grants do.
      await client.query(
        role === null ? `SET session_replication_role = replica` : `SET ROLE ${PREFIX}${role}`,
      );
      const { rowCount } = await client.query(sql);
      if ((rowCount ?? 0) > 0) counts[isTerms ? 'terms' : 'changed'] += rowCount ?? 0;
    } catch {
      counts.refused += 1;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  const writing = async (): Promise<void> => {
    while (isOn) {
      await act();
      await pause(BETWEEN_MS);
    }
  };
  let done: Promise<void> = Promise.resolve();
  return {
    counts: counts as Readonly<typeof counts>,
    start(): void {
      isOn = true;
      done = writing();
    },
    async stop(): Promise<void> {
      isOn = false;
      await done;
    },
  };
}

export type TortureWriter = Awaited<ReturnType<typeof createWriter>>;

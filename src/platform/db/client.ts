import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

export type Client = {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Tells of each commit that the server answered with a warning; see `isWarning`. */
  readonly onUnreplicated: (listener: () => void) => void;
};

/** Opens nothing yet: the pool connects when the first query comes. */
export function createClient(options: {
  readonly url: string;
  readonly poolSize: number;
  /** See `createPrismaDatabase`; absent: no limit. */
  readonly statementTimeoutMs?: number;
}): Client {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    // Connections for a minute's jobs stay open: anew each minute they would cost more than the jobs.
    min: Math.min(4, options.poolSize),
    // A connection that a firewall forgot answers nothing and never ends: without both, its statement would wait for ever.
    keepAlive: true,
    query_timeout: options.statementTimeoutMs,
    application_name: 'tradepost',
    onConnect: speakUtc,
  });
  // An idle connection that Postgres closes (restart, fail-over) is replaced; without a listener it would end the process.
  pool.on('error', () => undefined);
  // The pool watches only idle connections; a lent one can fail too, and its next statement then says so.
  const listeners: (() => void)[] = [];
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.on('notice', (notice) => {
      if (isWarning(notice)) for (const listener of listeners) listener();
    });
  });
  const names = new Map<string, string>();
  const adapter = new PrismaPg(pool, {
    onConnectionError: () => undefined,
    statementNameGenerator: ({ sql }) => statementName(names, sql),
  });
  return {
    prisma: new PrismaClient({ adapter }),
    pool,
    onUnreplicated: (listener) => void listeners.push(listener),
  };
}

/**
 * A person who ends the wait for a lost standby gets the commit and a warning (01000): it is on this server alone. Nothing of
 * ours raises a warning of that class.
 */
export function isWarning(notice: {
  readonly severity?: string | undefined;
  readonly code?: string | undefined;
}): boolean {
  return notice.severity === 'WARNING' && notice.code === '01000';
}

/**
 * Prisma's driver adapter drops the offset of a timestamptz in both directions: anything but UTC would shift every time. The
 * pool waits for the promise before it lends the connection (its types do not say so).
 */
const speakUtc = ((client: pg.ClientBase) => client.query("SET TIME ZONE 'UTC'")) as (
  client: pg.ClientBase,
) => void;

/** Server-side prepared statements save parsing and planning on every call. Bounded: texts vary with list lengths. */
function statementName(names: Map<string, string>, sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  // An empty name means: not kept.
  if (names.size >= 500) return '';
  const name = `s${names.size}`;
  names.set(sql, name);
  return name;
}

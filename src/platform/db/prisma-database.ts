import { UNCHECKED } from '../certificate-check.ts';
import { ownChatSeals } from '../chat-seals.ts';
import type { CertificateCheck } from '../ports/certificates.ts';
import type { Database, Stores } from '../ports/stores.ts';
import type { SealCheck } from '../sealed-buttons.ts';
import { createClient } from './client.ts';
import { type Connection, pooled, type Query } from './connection.ts';
import { translate } from './failure.ts';
import { migrateDatabase } from './migrate.ts';
import { createStores, runUnitOfWork, translating } from './unit-of-work.ts';

// SQL: the ping is a statement without a table.

export type PrismaDatabase = Omit<Database, 'transact'> & {
  /** As the port's; `query` is one statement of the same transaction, for rows that are in no store of the port. */
  transact<T>(work: (stores: Stores, query: Query) => Promise<T>): Promise<T>;
  /** Milliseconds of one round trip. Throws DATABASE_UNREACHABLE. */
  ping(): Promise<number>;
  /** One statement on the driver itself, for adapters that keep tables of their own (dialogues). */
  readonly query: Query;
  /** Reports each commit that is on this server alone; see COMMIT_NOT_REPLICATED. */
  readonly onUnreplicated: (listener: () => void) => void;
  /** A store of tables that no unit of work takes part in. */
  open<S extends object>(create: (connection: Connection) => S): S;
  close(): Promise<void>;
};

/**
 * Connects, brings the schema up to date and hands over the stores. Throws DATABASE_UNREACHABLE with one sentence that names the fault of
 * the URL, the server or its migrations. Uses at most `poolSize` connections.
 */
export async function createPrismaDatabase(options: {
  readonly url: string;
  readonly poolSize?: number;
  /** How long an answer to one statement is waited for; absent: for ever, as an operator's command does. */
  readonly statementTimeoutMs?: number;
  /** The seals of buttons; absent: this process answers no taps, and believes its own alone. */
  readonly chat?: SealCheck;
  /** The check that proves the rows of people and wallets; absent: as they are, for commands of an operator, which show rows. */
  readonly certificates?: CertificateCheck;
}): Promise<PrismaDatabase> {
  const { url, certificates = UNCHECKED } = options;
  const { chat = { seals: ownChatSeals(), onForged: () => undefined } } = options;
  const checks = { chat, certificates };
  await migrateDatabase({ url });
  const { prisma, pool, onUnreplicated } = createClient({ ...options, poolSize: options.poolSize ?? 10 });
  const connection = pooled(prisma, pool);
  const query: Query = async (text, values) => {
    try {
      return await connection.query(text, values);
    } catch (error) {
      throw translate(error, url);
    }
  };
  return {
    ...createStores(connection, url, checks),
    transact: (work) => runUnitOfWork(connection, url, work, checks),
    query,
    onUnreplicated,
    open: (create) => translating(create(connection), url),
    ping: async () => {
      const startedAt = performance.now();
      await query('SELECT 1', []);
      return performance.now() - startedAt;
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

import { dumpDatabase } from '../../src/adapters/db/dump.ts';
import { createPrismaDatabase } from '../../src/adapters/db/prisma-database.ts';
import { restoreDatabase } from '../../src/adapters/db/restore.ts';
import type { Io } from './command.ts';
import { openDatabaseUrl } from './open.ts';
import { recordAct } from './operator.ts';

/** Writes a dump while the service runs. */
export async function runDump(io: Io, path: string): Promise<number> {
  const { print } = io;
  const { url, close } = await openDatabaseUrl(io, 'in-use');
  try {
    const { tables, rows } = await dumpDatabase({ url, path });
    print(
      `${rows} rows of ${tables} tables are in ${path}. It holds sealed keys: keep it apart from the key-encryption key.`,
    );
    return 0;
  } finally {
    await close();
  }
}

/** Puts a dump into an empty database, or with `replace` into one that holds a Tradepost, and leaves it in quarantine. */
export async function runRestore(
  io: Io,
  options: { readonly path: string; readonly replace: boolean },
): Promise<number> {
  const { print } = io;
  const { url, close } = await openDatabaseUrl(io, 'any');
  try {
    const { rows, dataAsOf } = await restoreDatabase({ url, ...options });
    const db = await createPrismaDatabase({ url });
    try {
      await recordAct(db, 'operator-command', { command: 'restore', words: [dataAsOf.toISOString()] });
    } finally {
      await db.close();
    }
    print(`${rows} rows of ${dataAsOf.toISOString()} are restored.`);
    print(
      'The database is in quarantine: nothing is signed until "npm run ops -- reconcile" has compared it with the chain.',
    );
    return 0;
  } finally {
    await close();
  }
}

import { readFile } from 'node:fs/promises';
import { createActRecorder } from '../../src/engine/audit/store/audit-log.ts';
import { dumpDatabase } from '../../src/platform/db/dump.ts';
import { restoreDatabase } from '../../src/platform/db/restore.ts';
import type { Io } from './command.ts';
import { openDatabaseUrl } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError } from './ops-error.ts';

/** Writes a dump while the service runs. */
export async function runDump(io: Io, path: string, recipient: string | null): Promise<number> {
  const { print } = io;
  const { url, close } = await openDatabaseUrl(io, 'in-use');
  try {
    const { tables, rows } = await dumpDatabase({ url, path, recipient });
    print(
      `${rows} rows of ${tables} tables are in ${path}. It holds sealed keys: keep it apart from the key-encryption key.`,
    );
    return 0;
  } finally {
    await close();
  }
}

/** The first line of the file that is a secret key; `age-keygen` writes remarks above it. */
export async function readIdentity(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new OpsError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`);
  });
  const line = text.split('\n').find((one) => one.startsWith('AGE-SECRET-KEY-'));
  if (line === undefined)
    throw new OpsError(`${path} holds no age identity. Expected a line AGE-SECRET-KEY-1….`);
  return line.trim();
}

/** Puts a dump into an empty database, or with `replace` into one that holds a Tradepost, and leaves it in quarantine. */
export async function runRestore(
  io: Io,
  options: { readonly path: string; readonly replace: boolean; readonly identity: string | undefined },
): Promise<number> {
  const identity = options.identity === undefined ? null : await readIdentity(options.identity);
  const { print } = io;
  const { url, close } = await openDatabaseUrl(io, 'any');
  try {
    const { rows, dataAsOf } = await restoreDatabase({
      url,
      path: options.path,
      replace: options.replace,
      identity,
      lastly: (query, of) =>
        recordAct({ auditLog: createActRecorder(query) }, 'operator-command', {
          command: 'restore',
          words: [of.toISOString()],
        }),
    });
    print(`${rows} rows of ${dataAsOf.toISOString()} are restored.`);
    print(
      'The database is in quarantine: nothing is signed until "npm run ops -- reconcile" has compared it with the chain.',
    );
    return 0;
  } finally {
    await close();
  }
}

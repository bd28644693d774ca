import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../core/errors/app-error.ts';

/** The secrets that an installation with its own Postgres keeps in LOCAL_DIR: its name there, and its mode. */
export const LOCAL_SECRETS = [
  { name: 'kek', mode: 0o400 },
  { name: 'api-key-secret', mode: 0o600 },
  { name: 'chat-key', mode: 0o400 },
] as const;

/**
 * Makes each missing secret of a local installation in `dir`, 32 random bytes as 64 hexadecimal digits. One that is there stays as it is;
 * two processes that start together agree on one. Beside `deploy/make-secrets.sh` this is the only place where a secret of the service
 * is made. Throws KEK_UNAVAILABLE when a file cannot be made.
 */
export async function makeLocalSecrets(dir: string): Promise<void> {
  for (const { name, mode } of LOCAL_SECRETS)
    await keepLocalSecret(join(dir, name), `${randomBytes(32).toString('hex')}\n`, mode);
}

/** Puts `text` into a new file of `mode`, flushed; a file that is there stays as it is. Throws KEK_UNAVAILABLE. */
export async function keepLocalSecret(path: string, text: string, mode: number): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
    await chmod(path, mode);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw new AppError('KEK_UNAVAILABLE', { cause: `${path} cannot be created` }, { cause: error });
  }
}

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../core/errors/app-error.ts';
import type { KeyEncryptionKey } from './kek.ts';
import { localKek, parseKek } from './local-kek.ts';

/**
 * Reads the key-encryption key of `path`: 64 hex digits or base64 of 32 bytes. Throws KEK_UNAVAILABLE when the file is
 * missing, malformed, or readable by anybody but its owner: another account on the machine could copy it. With `create`
 * (the local default only) a missing file is made once, mode 0400, with a fresh random key; two processes that start
 * together agree on one file.
 */
export async function kekFromFile(
  path: string,
  options: { readonly create: boolean } = { create: false },
): Promise<KeyEncryptionKey> {
  if (options.create) await createOnce(path);
  const unreadable = (cause: unknown): never => {
    throw unavailable(`the key file ${path} cannot be read${mendOf(cause)}`, cause);
  };
  const file = await open(path, 'r').catch(unreadable);
  try {
    // Asked of the open file, not of the path, which could be exchanged in between.
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw unavailable(
        `the key file ${path} is readable by others (mode ${(mode & 0o777).toString(8)}): chmod 400 it`,
      );
    }
    const key = parseKek(await file.readFile('utf8').catch(unreadable));
    if (key === null) {
      throw unavailable(`the key file ${path} must hold 32 bytes as 64 hex digits or base64, nothing else`);
    }
    const kek = localKek(key);
    key.fill(0);
    return kek;
  } finally {
    await file.close();
  }
}

async function createOnce(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o400, flush: true });
    await chmod(path, 0o400);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw unavailable(`the key file ${path} cannot be created`, error);
    }
  }
}

/** Two things look alike from afar and are mended in opposite ways: a file that is missing and one that is somebody else's. */
function mendOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return ': there is no such file. Correct KEK_FILE, or put the key there';
  if (code === 'EACCES' || code === 'EPERM')
    return `: it belongs to somebody else than user ${process.getuid?.() ?? '?'}, whom this process runs as. Give it to that user (chown) and keep its mode 0400`;
  if (code === 'EISDIR') return ': it is a folder. Name the file in KEK_FILE';
  return '';
}

function unavailable(cause: string, original?: unknown): AppError<'KEK_UNAVAILABLE'> {
  return new AppError('KEK_UNAVAILABLE', { cause }, { cause: original });
}

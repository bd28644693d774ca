import { open } from 'node:fs/promises';
import { AppError } from '../../core/errors/app-error.ts';
import type { KeyEncryptionKey } from './kek.ts';
import { localKek, parseKek } from './local-kek.ts';

/**
 * Reads the key-encryption key of `path`: 64 hex digits or base64 of 32 bytes. Throws KEK_UNAVAILABLE when the file is
 * missing, malformed, a folder, or open to an account that may not have it: that one could copy it. It makes no key: a key
 * without a copy would take the wallets along.
 */
export async function kekFromFile(path: string): Promise<KeyEncryptionKey> {
  const unreadable = (cause: unknown): never => {
    throw unavailable(`the key file ${path} cannot be read${mendOf(cause)}`, cause);
  };
  const file = await open(path, 'r').catch(unreadable);
  try {
    // Asked of the open file, not of the path, which could be exchanged in between.
    const info = await file.stat();
    // A folder opens too, and its mode would be called too open.
    if (info.isDirectory()) unreadable(Object.assign(new Error('a folder'), { code: 'EISDIR' }));
    const { mode } = info;
    if (process.platform !== 'win32' && (mode & bitsOfOthers(path)) !== 0) {
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

/**
 * The bits of a mode that let another account in. systemd gives a unit its credentials by an access list, which shows as the group's right to
 * read, in a folder of that unit alone.
 */
export function bitsOfOthers(path: string): number {
  return /^\/run\/credentials\/[^/]+\/[^/]+$/.test(path) ? 0o037 : 0o077;
}

/** Two things look alike from afar and are mended in opposite ways: a file that is missing and one that belongs to another user. */
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

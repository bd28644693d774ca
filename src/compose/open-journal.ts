import { createHash } from 'node:crypto';
import { AppError, isAppError } from '../core/errors/app-error.ts';
import type { OpenEntry } from '../engine/signing/rules/record.ts';
import { type KeyBox, readChainFile } from '../platform/journal/chain-file.ts';
import { type FileJournal, openFileJournal } from '../platform/journal/file-journal.ts';
import type { OpenLogFile } from '../platform/journal/log-file.ts';
import type { ConfirmationSeals } from '../platform/ports/confirmation-seals.ts';
import type { Keyring } from '../platform/vault/kek.ts';

/** Of these bytes, as the journal names a message: SHA-256, base64url. */
export function messageHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** Of a text: SHA-256, in hexadecimal digits, as the audit log names its acts. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The id that a journal and a database of one installation share, from any backup of either. */
export function installIdOf(seals: Pick<ConfirmationSeals, 'seal'>): string {
  return seals.seal('tradepost/install/1').slice(0, 22);
}

/** The journal of a folder with its MAC key under the ring's current key. Throws as `openFileJournal`. */
export function openSignerJournal(options: {
  readonly folder: string;
  readonly keyring: Keyring;
  readonly installId: string;
  readonly database: OpenEntry['database'];
  readonly mayBegin: boolean;
  readonly now: () => number;
  readonly onTrouble: (what: string) => void;
  readonly whenAlone?: () => Promise<void>;
  readonly openFile?: OpenLogFile | undefined;
}): Promise<FileJournal> {
  const { keyring, ...rest } = options;
  return openFileJournal({ ...rest, box: keyBox(keyring) });
}

/** The journal or the keybook of a folder, to be read alone. Throws as `readChainFile`. */
export function readSignerBook(options: {
  readonly folder: string;
  readonly book: 'journal' | 'keybook';
  readonly keyring: Keyring;
  readonly installId: string;
}): ReturnType<typeof readChainFile> {
  const { keyring, ...rest } = options;
  return readChainFile({ ...rest, box: keyBox(keyring) });
}

/** The ring as the wrapper of a journal's MAC key. */
export function keyBox(keyring: Keyring): KeyBox {
  const { current } = keyring;
  return {
    kekId: current.id,
    wrap: (key, bound) => current.wrap(key, bound),
    unwrap: async (kekId, box, bound) => {
      const unreadable = (cause?: unknown): AppError =>
        new AppError('SECRET_UNREADABLE', { walletId: 'journal' }, { cause });
      const kek = keyring.find(kekId);
      if (kek === null) throw unreadable();
      try {
        return await kek.unwrap(box, bound);
      } catch (error) {
        if (isAppError(error)) throw error;
        throw unreadable(error);
      }
    },
  };
}

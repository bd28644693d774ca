import { lstat, mkdir } from 'node:fs/promises';
import { AppError } from '../../core/errors/app-error.ts';
import type { Journal, Keybook } from '../ports/journal.ts';
import { type ChainFileOptions, openChainFile } from './chain-file.ts';
import { lockFolder } from './lock.ts';

/** How long segments of the journal are kept: longer than a restorable dump is. */
export const KEPT_MS = 400 * 86_400_000;

export type FileJournalOptions = Omit<ChainFileOptions, 'book' | 'keptMs'> & {
  /** Once the folder is this process's alone, before a line is read. */
  readonly whenAlone?: () => Promise<void>;
};

export type FileJournal = {
  readonly journal: Journal;
  readonly keybook: Keybook;
  readonly close: () => Promise<void>;
};

/**
 * Opens journal and keybook of a folder for their only writer. Throws JOURNAL_MISSING for a folder without a journal unless one may begin,
 * JOURNAL_TAKEN, JOURNAL_BROKEN, JOURNAL_FULL, CONFIG_INVALID, and the errors of the box.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<FileJournal> {
  await prepareFolder(options.folder);
  const lock = await lockFolder(options.folder);
  try {
    await options.whenAlone?.();
    const journal = await openChainFile({ ...options, book: 'journal', keptMs: KEPT_MS });
    // A journal of an installation that had no keybook yet gets one.
    const keybook = await openChainFile({ ...options, book: 'keybook', keptMs: null, mayBegin: true });
    return {
      journal,
      keybook,
      close: async () => {
        await Promise.all([journal.close(), keybook.close()]);
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Makes the folder. Throws CONFIG_INVALID for one in which others can put files. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const problems = [`JOURNAL_DIR: cannot make ${folder}: ${cause}`];
    throw new AppError('CONFIG_INVALID', { problems }, { cause: error });
  }
  const { mode, uid } = await lstat(folder);
  if (uid !== (process.getuid?.() ?? uid) || (mode & 0o022) !== 0) {
    throw new AppError('CONFIG_INVALID', {
      problems: [`JOURNAL_DIR: ${folder} must belong to the signer's account and be writable by it alone.`],
    });
  }
}

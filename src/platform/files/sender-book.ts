import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Address, isAddress } from '@tradepost/solana';
import { z } from 'zod';
import { AppError } from '../../core/errors/app-error.ts';

/** More than any engine names. */
export const MOST_TIP_ACCOUNTS = 32;
const account = z.string().refine((text): text is Address => isAddress(text), { error: 'an address' });
const BOOK = z.strictObject({
  jito: z.strictObject({
    url: z.string(),
    syncedAt: z.string(),
    tipAccounts: z.array(account).min(1).max(MOST_TIP_ACCOUNTS),
  }),
});

/** The tip accounts that a block engine named, and when it was asked. */
export type SenderBook = z.infer<typeof BOOK>;

/** Null where nothing was synced yet. Throws CONFIG_INVALID for a file of another form. */
export function readSenderBook(path: string): SenderBook | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  try {
    return BOOK.parse(JSON.parse(text));
  } catch (cause) {
    const problem = `${path} is no list of tip accounts: run "npm run ops -- senders sync" to write it anew`;
    throw new AppError('CONFIG_INVALID', { problems: [problem] }, { cause });
  }
}

/** Replaces the file in one step. */
export function writeSenderBook(path: string, book: SenderBook): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(book, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

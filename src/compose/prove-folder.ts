import type { PrismaDatabase } from '../platform/db/prisma-database.ts';
import { filesIn } from '../platform/journal/mirror/folder-files.ts';
import { createConfirmationSeals } from '../platform/vault/confirmation-seals.ts';
import type { Keyring } from '../platform/vault/kek.ts';
import { installIdOf, readSignerBook } from './open-journal.ts';
import { loadConfirmationSecret } from './open-key-holder.ts';

/**
 * Proves each line of the books in a folder by its seal and the one before it. Throws JOURNAL_BROKEN for a line that no signer of this
 * installation wrote, SECRET_UNREADABLE for a key that is not on the ring, and the database's errors.
 */
export async function proveFolder(
  folder: string,
  { keyring, db }: { readonly keyring: Keyring; readonly db: Pick<PrismaDatabase, 'sealedSecrets'> },
): Promise<void> {
  const secret = await loadConfirmationSecret({ keyring, store: db.sealedSecrets });
  const installId = installIdOf(createConfirmationSeals(secret));
  const files = await filesIn(folder);
  for (const book of ['journal', 'keybook'] as const) {
    if (!files.some(({ file }) => file.startsWith(book))) continue;
    const { records } = await readSignerBook({ folder, book, keyring, installId });
    for await (const _record of records(0)) {
      // Each line is proved as it is read.
    }
  }
}

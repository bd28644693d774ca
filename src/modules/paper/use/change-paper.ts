import { AppError } from '../../../core/errors/app-error.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Settings } from '../../settings/rules/settings.ts';
import { newPaperBook, type PaperBook } from '../rules.ts';

/**
 * Changes a person's pretend money under the person's lock, so that two taps at once both count, and returns their settings. A person
 * without a book has a new one. Null where `change` refuses; then nothing is written. Throws the errors of `change`.
 */
export async function changePaper(
  deps: { readonly db: Pick<Database, 'transact'> },
  userId: string,
  change: (book: PaperBook) => PaperBook | null,
): Promise<Settings | null> {
  return deps.db.transact(async ({ users }) => {
    const user = await users.lock(userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const paper = change(user.settings.paper ?? newPaperBook());
    if (paper === null) return null;
    const settings = { ...user.settings, paper };
    await users.update(userId, { settings });
    return settings;
  });
}

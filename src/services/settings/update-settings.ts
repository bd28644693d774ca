import { AppError } from '../../core/errors/app-error.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Settings } from '../../core/users/settings.ts';

/**
 * Changes some of a person's settings and returns all of them. Reads and writes under the person's lock, so that two
 * changes at once both hold.
 */
export async function updateSettings(
  deps: { readonly db: Pick<Database, 'transact'> },
  input: { readonly userId: string; readonly change: Partial<Settings> },
): Promise<Settings> {
  return deps.db.transact(async (stores) => {
    const user = await stores.users.lock(input.userId);
    if (user === null) throw new AppError('USER_NOT_FOUND', {});
    const settings = { ...user.settings, ...input.change };
    await stores.users.update(user.id, { settings });
    return settings;
  });
}

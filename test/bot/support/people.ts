import type { Ids } from '../../../src/core/ports/ids.ts';
import type { Database } from '../../../src/core/ports/stores.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/users/settings.ts';
import type { User } from '../../../src/core/users/user.ts';

/** A stored person, valid by default. */
export async function insertUser(
  db: Pick<Database, 'users'>,
  ids: Ids,
  telegramId: bigint,
  change: Partial<User> = {},
): Promise<User> {
  const { user } = await db.users.insert({
    id: ids.ulid(),
    telegramId,
    firstName: 'Person',
    telegramLanguage: null,
    settings: DEFAULT_SETTINGS,
    activeWalletId: null,
    inviterId: null,
    screenMessageId: null,
    blockedAt: null,
    createdAt: 0,
    ...change,
  });
  return user;
}

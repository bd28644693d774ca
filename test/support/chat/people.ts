import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import type { User } from '../../../src/modules/settings/rules/user.ts';
import type { Ids } from '../../../src/platform/ports/ids.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';

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

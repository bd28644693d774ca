import type { Notice } from '../../../engine/notices/store-port.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Stores } from '../../../platform/ports/stores.ts';

/** A notice for every operator who has opened the chat, in the caller's transaction; a bot cannot write to anybody else. */
export async function tellOperators(
  deps: {
    readonly operators: ReadonlySet<bigint>;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly log: Pick<Logger, 'warn'>;
  },
  stores: Pick<Stores, 'users' | 'notices' | 'outbox'>,
  kind: Notice['kind'],
  payload: Readonly<Record<string, string>>,
): Promise<void> {
  const known = [];
  for (const telegramId of deps.operators) {
    const user = await stores.users.findByTelegramId(telegramId);
    if (user !== null) known.push(user);
  }
  if (known.length === 0) {
    deps.log.warn({ kind, ...payload }, 'no operator to tell: set OPERATORS, and let each open the bot once');
  }
  await addNotices(
    deps,
    stores,
    known.map(({ id }) => ({ userId: id, intentId: null, kind, payload })),
  );
}

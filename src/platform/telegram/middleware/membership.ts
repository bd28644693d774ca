import { Composer } from 'grammy';
import { lockTrades } from '../../../modules/guard/use/unlock-trades.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/stores.ts';
import type { BotContext } from '../context.ts';

/**
 * Blocking and unblocking the bot. Only known people: a membership update must not create a row, for the first /start
 * brings the inviter along.
 */
export function membership(deps: {
  readonly db: Pick<Database, 'users' | 'guards' | 'transact'>;
  readonly clock: Clock;
}): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.on('my_chat_member', async (ctx) => {
    const user = await deps.db.users.findByTelegramId(BigInt(ctx.from.id));
    if (user === null) return;
    const blocked = ctx.myChatMember.new_chat_member.status === 'kicked';
    await deps.db.users.update(user.id, { blockedAt: blocked ? deps.clock.now() : null });
    // After a return another person may hold the account.
    await lockTrades(deps, { userId: user.id });
  });
  return composer;
}

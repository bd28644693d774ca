import type { Middleware } from 'grammy';
import { wordsOf } from '../../../compose/texts/words.ts';
import type { DialogStore } from '../../ports/dialog-store.ts';
import type { BotContext } from '../context.ts';

const LEASE_MS = 30_000;
/** About a minute of the busiest bot. */
const REMEMBERED = 10_000;

/** Another process is at this update: the webhook answers 503 and Telegram delivers it again. */
export class UpdateBusyError extends Error {}

/**
 * Each update once, over all replicas. An update is marked done only after its effects are committed: marking it first
 * would lose it in a crash. After three attempts that never finished it is given up, with the dialogue it was in.
 */
export function onceEverywhere(input: {
  readonly dialogs: Pick<DialogStore, 'claimUpdate' | 'finishUpdate' | 'delete'>;
}): Middleware<BotContext> {
  return async (ctx, next) => {
    const key = `${ctx.me.id}:${ctx.update.update_id}`;
    switch (await input.dialogs.claimUpdate(key, LEASE_MS)) {
      case 'done':
        return;
      case 'busy':
        throw new UpdateBusyError(key);
      case 'poison':
        if (ctx.from !== undefined) {
          await input.dialogs.delete(`convo:${ctx.me.id}:${ctx.from.id}`);
          await ctx.reply(wordsOf('en').text('error.poison'));
        }
        return;
      case 'claimed':
        await next();
        await input.dialogs.finishUpdate(key);
    }
  };
}

/**
 * Each update once, for the one process that polls. Telegram gives a bot's updates to a single poller and repeats them only when that
 * process died before confirming them. So memory is enough and saves two statements per tap. Acts that a repeat after a crash could do
 * twice are fenced elsewhere: intents by their key, buttons by single use, dialogues by revision.
 */
export function onceInProcess(): Middleware<BotContext> {
  const seen = new Set<number>();
  return async (ctx, next) => {
    const id = ctx.update.update_id;
    if (seen.has(id)) return;
    seen.add(id);
    if (seen.size > REMEMBERED) {
      const [oldest] = seen;
      if (oldest !== undefined) seen.delete(oldest);
    }
    await next();
  };
}

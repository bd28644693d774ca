import type { Middleware } from 'grammy';
import type { Update } from 'grammy/types';
import type { BotContext } from '../context.ts';
import { CONTENTS, PLACES, UPDATES } from '../reading/message-kinds.ts';
import { contentOf } from '../reading/said.ts';

/**
 * Lets through a person's updates in their private chat with the bot, as the tables of `reading/message-kinds.ts` have it. A group's
 * go to `inGroup` and no further: no person is loaded for them. Everything else is dropped: channel posts, edits,
 * anonymous admins, messages on behalf of a chat, bots, and Telegram's own notes about a chat.
 */
export function privateOnly(inGroup: (ctx: BotContext) => Promise<void>): Middleware<BotContext> {
  return async (ctx, next) => {
    const { chat, from, message } = ctx;
    if (from === undefined || from.is_bot || chat === undefined || !isAskedFor(ctx.update)) return;
    if (message?.sender_chat !== undefined) return;
    const place = PLACES[chat.type];
    if (place === 'talks') {
      const content = message === undefined ? null : contentOf(message);
      // A kind that is new is answered as one that cannot be read.
      if (content === null || CONTENTS[content] !== 'silence') await next();
      return;
    }
    if (place === 'scans') await inGroup(ctx);
  };
}

function isAskedFor(update: Update): boolean {
  return Object.entries(UPDATES).some(([kind, answer]) => answer !== 'unasked' && kind in update);
}

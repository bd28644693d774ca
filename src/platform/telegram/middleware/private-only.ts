import type { Middleware } from 'grammy';
import type { Update } from 'grammy/types';
import type { BotContext } from '../context.ts';
import { CONTENTS, PLACES, UPDATES } from '../reading/message-kinds.ts';
import { contentOf } from '../reading/said.ts';

/**
 * Lets through a person's updates in their private chat with the bot, as the tables of `reading/message-kinds.ts` have it. Messages of a
 * group go to `inGroup` and no further: no person is loaded for them. An anonymous admin and a linked channel write there as a chat.
 * Everything else is dropped: channel posts, edits, bots, and Telegram's own notes about a private chat.
 */
export function privateOnly(inGroup: (ctx: BotContext) => Promise<void>): Middleware<BotContext> {
  return async (ctx, next) => {
    const { chat, from, message } = ctx;
    if (from === undefined || chat === undefined || !isAskedFor(ctx.update)) return;
    const isOfChat = message?.sender_chat !== undefined;
    const place = PLACES[chat.type];
    // Telegram names a bot of its own as the sender of an anonymous admin's words.
    if (place === 'scans' && (isOfChat || !from.is_bot)) await inGroup(ctx);
    if (place !== 'talks' || isOfChat || from.is_bot) return;
    const content = message === undefined ? null : contentOf(message);
    // A kind that is new is answered as one that cannot be read.
    if (content === null || CONTENTS[content] !== 'silence') await next();
  };
}

function isAskedFor(update: Update): boolean {
  return Object.entries(UPDATES).some(([kind, answer]) => answer !== 'unasked' && kind in update);
}

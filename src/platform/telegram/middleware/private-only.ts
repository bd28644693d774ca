import type { Middleware } from 'grammy';
import type { Update } from 'grammy/types';
import { wordsOf } from '../../../compose/texts/words.ts';
import type { BotContext } from '../context.ts';
import { commandOf } from '../reading/command-of.ts';
import { CONTENTS, PLACES, UPDATES } from '../reading/message-kinds.ts';
import { contentOf } from '../reading/said.ts';

/**
 * Lets through a person's updates in their private chat with the bot, as the tables of `reading/message-kinds.ts` have it. In groups a
 * command with the bot's own name is answered once with a button that leads here. Everything else is dropped: channel posts, edits,
 * anonymous admins, messages on behalf of a chat, bots, and Telegram's own notes about a chat.
 */
export function privateOnly(): Middleware<BotContext> {
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
    if (place === 'points') await pointHere(ctx);
  };
}

function isAskedFor(update: Update): boolean {
  return Object.entries(UPDATES).some(([kind, answer]) => answer !== 'unasked' && kind in update);
}

/** A command with another bot's name, or with none, is another bot's. */
async function pointHere(ctx: BotContext): Promise<void> {
  if (commandOf(ctx.message)?.to !== ctx.me.username.toLowerCase()) return;
  const words = wordsOf('en');
  await ctx.reply(words.text('group.private_only'), {
    reply_markup: {
      inline_keyboard: [[{ text: words.text('btn.open_chat'), url: `https://t.me/${ctx.me.username}` }]],
    },
  });
}

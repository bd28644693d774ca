import type { Middleware } from 'grammy';
import type { BotContext } from '../context.ts';
import { wordsOf } from '../locales/words.ts';

/**
 * Lets through what a person does in their private chat with the bot. In groups a command is answered once with a button
 * that leads here; everything else is dropped: channel posts, edits, anonymous admins, messages on behalf of a chat, bots.
 */
export function privateOnly(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (ctx.from === undefined || ctx.from.is_bot) return;
    if (ctx.chat?.type === 'private') {
      if (ctx.message !== undefined && ctx.message.sender_chat !== undefined) return;
      if (ctx.message !== undefined || ctx.callbackQuery !== undefined || ctx.myChatMember !== undefined)
        await next();
      return;
    }
    const text = ctx.message?.text;
    if (text === undefined || !text.startsWith('/') || ctx.message?.sender_chat !== undefined) return;
    const addressed = text.split(/\s/, 1)[0]?.split('@')[1];
    if (addressed?.toLowerCase() !== ctx.me.username.toLowerCase()) return;
    const words = wordsOf('en');
    await ctx.reply(words.text('group.private_only'), {
      reply_markup: {
        inline_keyboard: [[{ text: words.text('btn.open_chat'), url: `https://t.me/${ctx.me.username}` }]],
      },
    });
  };
}

import { GrammyError } from 'grammy';
import type { Words } from '../../../compose/texts/words.ts';
import type { BotContext } from '../context.ts';
import { sendView } from '../ui/screen.ts';

/** Deletes the person's message at once, before anything can fail: a message in a chat is in every phone's backup. */
export async function deleteSecret(ctx: BotContext, words: Words): Promise<void> {
  try {
    await ctx.deleteMessage();
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    // Gone already, as when the same update comes again after a crash.
    if (/message to delete not found/i.test(error.description)) return;
    if (ctx.chatId !== undefined) {
      await sendView(ctx.api, ctx.chatId, { text: words.html('secret.delete_yourself') });
    }
  }
}

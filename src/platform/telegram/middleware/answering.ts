import { GrammyError } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext, Turn } from '../context.ts';

/** A message that waited for longer was sent to a bot that was away. Telegram keeps people's messages for a day. */
const LATE_MS = 60_000;

/** Answers the tap of one update, and returns whether the update waited: Telegram refuses to answer a tap that is too old. */
export function answering(deps: FeatureDeps, ctx: BotContext): Pick<Turn, 'toast' | 'isLate'> {
  /** Whether the tap was too old for it. */
  let answered: Promise<boolean> | null = null;
  const answer = async (text: string): Promise<boolean> => {
    try {
      await ctx.answerCallbackQuery(text === '' ? {} : { text: text.slice(0, 200) });
      return false;
    } catch (error) {
      // An answer that comes too late, or twice after a redelivery, is no reason to fail.
      deps.log.info({ err: error }, 'a tap could not be answered');
      return error instanceof GrammyError && error.description.includes('query is too old');
    }
  };
  return {
    toast: async (text) => {
      if (ctx.callbackQuery === undefined || answered !== null) return;
      answered = answer(text);
      await answered;
    },
    isLate: async () => {
      if (ctx.callbackQuery === undefined)
        return deps.clock.now() - (ctx.message?.date ?? 0) * 1_000 > LATE_MS;
      answered ??= answer('');
      return answered;
    },
  };
}

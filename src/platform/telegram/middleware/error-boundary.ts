import { GrammyError, type Middleware } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { chooseLanguage, wordsOf } from '../../../compose/texts/words.ts';
import { type AppError, isAppError } from '../../../core/errors/app-error.ts';
import { DATABASE_DOWN } from '../../../core/errors/database-down.ts';
import type { BotContext } from '../context.ts';
import { errorView, faultView } from '../errors.ts';
import type { View } from '../ui/screen.ts';
import { UpdateBusyError } from './once.ts';
import { HandlerTimeoutError } from './time-limit.ts';

const ID_LENGTH = 6;

/** Codes that mean a fault of the service or its surroundings rather than something the person asked for. */
const LOUD = new Set<AppError['code']>([
  'VENUES_UNREACHABLE',
  'CHAIN_UNREACHABLE',
  ...DATABASE_DOWN,
  'DATABASE_REPLICA_ASYNC',
  'COMMIT_NOT_REPLICATED',
  'CLOCK_OFF',
  'QUEUE_UNREACHABLE',
  'KEK_UNAVAILABLE',
  'SIGNER_UNAVAILABLE',
  'SECRET_UNREADABLE',
  'JOURNAL_FULL',
  'JOURNAL_TAKEN',
  'JOURNAL_BROKEN',
  'JOURNAL_BEHIND',
  'JOURNAL_MISSING',
  'DATABASE_FORGETFUL',
  'SIGNING_FENCED',
  'ROW_INVALID',
  'ROW_FORGED',
  'POLICY_DENIED',
  'CONFIG_INVALID',
]);

/**
 * The end of every failure: the person gets a sentence, and for a fault of ours a short id; the log gets the id and the cause. Never the
 * update itself: it holds people's texts. An error that was explained counts as handled.
 */
export function errorBoundary(deps: FeatureDeps): Middleware<BotContext> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof UpdateBusyError) throw error;
      // A person who blocked the bot, or a chat where it may not write: Telegram's refusal is final, and there is no one to explain it to.
      if (error instanceof GrammyError && error.error_code === 403) {
        deps.log.info(
          { update: ctx.update.update_id, cause: error.description },
          'the chat takes no message',
        );
        return;
      }
      const id = deps.ids.code(ID_LENGTH);
      const about = { id, update: ctx.update.update_id, err: error };
      if (isAppError(error) && !LOUD.has(error.code)) deps.log.info({ id, code: error.code }, 'refused');
      else deps.log.error(about, 'an update failed');
      await explain(deps, ctx, error, id).catch((second: unknown) => {
        deps.log.warn({ id, err: second }, 'the failure could not be explained to the person');
      });
    }
  };
}

async function explain(deps: FeatureDeps, ctx: BotContext, error: unknown, id: string): Promise<void> {
  // Absent when the very first look-up failed.
  const turn: BotContext['turn'] | undefined = ctx.turn;
  const words = turn?.words ?? wordsOf(chooseLanguage(null, ctx.from?.language_code ?? null));
  if (error instanceof HandlerTimeoutError) {
    const text = words.text('error.timeout');
    await (ctx.callbackQuery === undefined || turn === undefined ? ctx.reply(text) : turn.toast(text));
    return;
  }
  const view: View = isAppError(error)
    ? errorView(error, words, LOUD.has(error.code) ? id : null, turn?.back ?? null)
    : faultView(words, id);
  if (turn === undefined) {
    if (ctx.callbackQuery !== undefined) await ctx.answerCallbackQuery();
    await ctx.reply(view.text.markup, { parse_mode: 'HTML' });
    return;
  }
  await turn.toast('');
  await turn.screen.show(view);
  deps.log.info({ id }, 'explained');
}

import type { Middleware } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { chooseLanguage, wordsOf } from '../../../compose/texts/words.ts';
import type { BotContext } from '../context.ts';
import { unlimited } from '../middleware/rate-limit.ts';
import { commandOf } from '../reading/command-of.ts';
import { saidIn } from '../reading/said.ts';
import { sendView } from '../ui/screen.ts';
import { deleteSecret } from './delete-secret.ts';
import { isKeyShaped, isPinShaped } from './secret-shapes.ts';

/** A person who calls for these is in a hurry, and is not slowed down. */
const URGENT: ReadonlySet<string> = new Set(['panic', 'cancel']);

/**
 * Goes before the speed limit, which drops everything above it: a PIN would stay in the chat, and /panic would do nothing. Lets through the
 * urgent commands and every answer to a question for a secret. Deletes texts that look like such an answer that came twice or too late, and
 * texts that look like a private key at any time. Whether the typed text is right changes nothing here: a guesser learns nothing from a
 * deletion.
 */
export function secretsFirst(deps: Pick<FeatureDeps, 'secrets' | 'dialogs'>): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message } = ctx;
    if (message === undefined) return next();
    const text = saidIn(message);
    if (URGENT.has(commandOf(message)?.name ?? '')) {
      unlimited(ctx);
      return next();
    }
    if (text.startsWith('/')) return next();
    const state = await deps.secrets.standing(ctx);
    if (state.kind === 'waiting') {
      // A row of stickers is no answer, and counts like everything else.
      if (message.text !== undefined || message.document !== undefined) unlimited(ctx);
      return next();
    }
    const words = wordsOf(chooseLanguage(null, ctx.from?.language_code ?? null));
    if (isKeyShaped(text)) {
      await deleteSecret(ctx, words);
      if (ctx.chatId !== undefined) {
        await sendView(ctx.api, ctx.chatId, { text: words.html('secret.key_seen') });
      }
      return;
    }
    const again =
      (state.kind === 'after' && isPinShaped(text) && !(await isInDialogue(deps, ctx))) ||
      (await deps.secrets.isRemembered(ctx, text));
    if (!again) return next();
    await deleteSecret(ctx, words);
    // Once: a burst of twenty needs no twenty answers.
    if (state.kind !== 'after' || state.isTold || ctx.chatId === undefined) return;
    await deps.secrets.told(ctx, state.revision);
    await sendView(ctx.api, ctx.chatId, { text: words.html('secret.unasked') });
  };
}

/** Six digits may be an amount, where one is asked for. */
async function isInDialogue({ dialogs }: Pick<FeatureDeps, 'dialogs'>, ctx: BotContext): Promise<boolean> {
  return ctx.from !== undefined && (await dialogs.read(`convo:${ctx.me.id}:${ctx.from.id}`)) !== null;
}

import { GrammyError, type Middleware } from 'grammy';
import type { BotContext } from '../context.ts';
import type { FeatureDeps } from '../deps.ts';
import type { Feature } from '../feature.ts';
import { keyboard, nav } from '../ui/keyboard.ts';
import { sendView } from '../ui/screen.ts';
import type { Secret, SecretHandler } from './prompts.ts';

/**
 * Takes the answer to a question for a secret before anything else sees it: deletes the message, then hands the text to
 * the handler that asked. Goes before the dialogues. A command or a tap ends the question; it is never an answer.
 */
export function secretInput(deps: FeatureDeps, features: readonly Feature[]): Middleware<BotContext> {
  const handlers = new Map<string, SecretHandler>();
  for (const feature of features) {
    for (const [name, handler] of Object.entries(feature.secrets ?? {})) {
      handlers.set(`${feature.name}:${name}`, handler);
    }
  }
  return async (ctx, next) => {
    if (ctx.message === undefined && ctx.callbackQuery === undefined) return next();
    const prompt = await deps.secrets.take(ctx);
    if (prompt === null) return next();
    const { turn, message } = ctx;
    if (message === undefined) return next();
    if (message.text?.startsWith('/') === true) {
      turn.leftDialogue = !prompt.expired;
      return next();
    }
    await deleteAnswer(ctx);
    const handler = handlers.get(prompt.to);
    const secret = secretOf(ctx);
    if (prompt.expired || handler === undefined || secret === null) {
      await turn.screen.fresh({
        text: turn.words.html(secret === null && !prompt.expired ? 'secret.text_only' : 'secret.expired'),
        keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
      });
      return;
    }
    await handler(ctx, secret, prompt.payload);
  };
}

function secretOf({ message }: BotContext): Secret | null {
  if (message?.text !== undefined) return { kind: 'text', text: message.text };
  const document = message?.document;
  if (document === undefined) return null;
  return { kind: 'file', fileId: document.file_id, bytes: document.file_size ?? 0 };
}

/** At once, before anything can fail: what stays in a chat is in every phone's backup. */
async function deleteAnswer(ctx: BotContext): Promise<void> {
  try {
    await ctx.deleteMessage();
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    const { words } = ctx.turn;
    if (ctx.chatId !== undefined) {
      await sendView(ctx.api, ctx.chatId, { text: words.html('secret.delete_yourself') });
    }
  }
}

import type { Middleware } from 'grammy';
import { isAppError } from '../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import type { FeatureDeps } from '../deps.ts';
import type { Feature } from '../feature.ts';
import { keyboard, nav } from '../ui/keyboard.ts';
import { deleteSecret } from './delete-secret.ts';
import type { Secret, SecretHandler, SecretPrompt } from './prompts.ts';
import { isPinShaped } from './secret-shapes.ts';

/**
 * Takes the answer to a question for a secret before anything else sees it: deletes the message, then hands the text to
 * the handler that asked. Goes before the dialogues. A command or a tap ends the question; it is never an answer. The
 * question is over when the handler has said yes or no; should the process die or a stand-in fail before that, it still
 * stands, and the same answer can be given again.
 */
export function secretInput(deps: FeatureDeps, features: readonly Feature[]): Middleware<BotContext> {
  const handlers = new Map<string, SecretHandler>();
  for (const feature of features) {
    for (const [name, handler] of Object.entries(feature.secrets ?? {})) {
      handlers.set(`${feature.name}:${name}`, handler);
    }
  }

  async function answer(ctx: BotContext, prompt: SecretPrompt): Promise<void> {
    const { turn } = ctx;
    await deleteSecret(ctx, turn.words);
    const handler = handlers.get(prompt.to);
    const secret = secretOf(ctx);
    if (prompt.expired || handler === undefined || secret === null) {
      await turn.screen.fresh({
        text: turn.words.html(secret === null && !prompt.expired ? 'secret.text_only' : 'secret.expired'),
        keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
      });
      return;
    }
    // Marked before anything can fail. A PIN is known by its shape, never by what it is.
    if (secret.kind === 'text' && !isPinShaped(secret.text)) await deps.secrets.remember(ctx, secret.text);
    await handler(ctx, secret, prompt.payload);
  }

  return async (ctx, next) => {
    if (ctx.message === undefined && ctx.callbackQuery === undefined) return next();
    const state = await deps.secrets.standing(ctx);
    if (state.kind !== 'waiting') return next();
    const { prompt } = state;
    if (ctx.message === undefined || ctx.message.text?.startsWith('/') === true) {
      await deps.secrets.end(ctx, prompt.revision);
      if (ctx.message !== undefined) ctx.turn.leftDialogue = !prompt.expired;
      return next();
    }
    try {
      await answer(ctx, prompt);
    } catch (error) {
      if (isAppError(error)) await deps.secrets.end(ctx, prompt.revision);
      throw error;
    }
    await deps.secrets.end(ctx, prompt.revision);
  };
}

function secretOf({ message }: BotContext): Secret | null {
  if (message?.text !== undefined) return { kind: 'text', text: message.text };
  const document = message?.document;
  if (document === undefined) return null;
  return { kind: 'file', fileId: document.file_id, bytes: document.file_size ?? 0 };
}

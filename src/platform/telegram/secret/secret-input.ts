import type { Middleware } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import type { Feature } from '../feature.ts';
import { borrowedBy } from '../reading/authored.ts';
import { contentOf, saidIn } from '../reading/said.ts';
import { keyboard, nav } from '../ui/keyboard.ts';
import { deleteSecret } from './delete-secret.ts';
import type { Secret, SecretHandler, SecretPrompt } from './prompts.ts';
import { isPinShaped } from './secret-shapes.ts';

/**
 * Takes the answer to a question for a secret before anything else sees it: deletes the message, then hands the text to the handler that
 * asked. Goes before the dialogues. A command or a tap ends the question; it is never an answer. The question is over when the handler has
 * said yes or no. Should the process die or a stand-in fail before that, it is still open, and the same answer can be given again.
 */
export function secretInput(deps: FeatureDeps, features: readonly Feature[]): Middleware<BotContext> {
  const handlers = new Map<string, SecretHandler>();
  for (const feature of features) {
    for (const [name, handler] of Object.entries(feature.secrets ?? {})) {
      handlers.set(`${feature.name}:${name}`, handler.run);
    }
  }

  async function answer(ctx: BotContext, prompt: SecretPrompt): Promise<'over' | 'stays'> {
    const { turn } = ctx;
    await deleteSecret(ctx, turn.words);
    const handler = handlers.get(prompt.to);
    if (prompt.expired || handler === undefined) {
      await turn.screen.fresh({
        text: turn.words.html('secret.expired'),
        keyboard: keyboard([nav(turn.words.text('btn.home'), 'home', 'open')]),
      });
      return 'over';
    }
    const secret = secretOf(ctx);
    const borrowed = ctx.message === undefined ? null : borrowedBy(ctx.message);
    if (secret === null || borrowed !== null) {
      const { words } = turn;
      const why =
        borrowed === null
          ? words.html('secret.text_only')
          : words.html('secret.borrowed', { why: words.html(`borrowed.${borrowed}`) });
      await turn.screen.fresh({
        text: why,
        keyboard: keyboard([nav(words.text('btn.cancel'), 'security', 'cancel')]),
      });
      return 'stays';
    }
    // Marked before anything can fail. A PIN is recognized by its shape, never by its digits.
    if (secret.kind === 'text' && !isPinShaped(secret.text)) await deps.secrets.remember(ctx, secret.text);
    await handler(ctx, secret, prompt.payload);
    return 'over';
  }

  return async (ctx, next) => {
    if (ctx.message === undefined && ctx.callbackQuery === undefined) return next();
    const state = await deps.secrets.standing(ctx);
    if (state.kind !== 'waiting') return next();
    const { prompt } = state;
    if (ctx.message === undefined || saidIn(ctx.message).startsWith('/')) {
      await deps.secrets.end(ctx, prompt.revision);
      if (ctx.message !== undefined) ctx.turn.leftDialogue = !prompt.expired;
      return next();
    }
    try {
      // A message that is no answer ends nothing: the question is still open.
      if ((await answer(ctx, prompt)) === 'stays') return;
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
  // A moving picture comes as a document too.
  if (message === undefined || document === undefined || contentOf(message) !== 'document') return null;
  return { kind: 'file', fileId: document.file_id, bytes: document.file_size ?? 0 };
}

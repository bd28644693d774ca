import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { hasCode } from '../../../core/errors/app-error.ts';
import { withPlainDigits } from '../../../core/text/digits.ts';
import type { Act } from '../../../modules/guard/rules/acts.ts';
import type { BotContext } from '../context.ts';
import { errorSentence } from '../errors.ts';
import { type Html, html } from '../ui/html.ts';
import { keyboard, nav } from '../ui/keyboard.ts';
import type { Secret } from './prompts.ts';

export type Question = {
  readonly to: string;
  readonly payload: unknown;
  readonly text: Html;
  /** Only a code is asked for: a wrong one is not called a wrong PIN. */
  readonly isCode?: true;
} & (
  | {
      /** The answer is the person's proof: the PIN, and the authenticator's code where there is one. */
      readonly isProof: true;
      /** The act that it is for: its refusals come before any question. */
      readonly act: Act;
    }
  | { readonly isProof?: never; readonly act?: never }
);

/** A question for a secret, with the way out under it. Throws the refusals of the act that it is for. */
export async function askSecret(
  deps: Pick<FeatureDeps, 'secrets' | 'guard'>,
  ctx: BotContext,
  question: Question,
): Promise<void> {
  const { turn } = ctx;
  if (question.isProof === true) await deps.guard.mayAct({ userId: turn.user.id, act: question.act });
  const needsCode =
    question.isProof === true && (await deps.guard.overview({ userId: turn.user.id })).hasSecondFactor;
  await turn.screen.show({
    text: needsCode ? html`${question.text}\n${turn.words.html('security.with_code')}` : question.text,
    keyboard: keyboard([nav(turn.words.text('btn.cancel'), 'security', 'cancel')]),
  });
  await deps.secrets.ask(ctx, question.to, question.payload);
}

/** The text of an answer; a file is refused like a wrong PIN's shape would be, by the service. */
export const textOf = (secret: Secret): string => (secret.kind === 'text' ? secret.text.trim() : '');

/** A PIN or a code that was typed, in the digits of any script. A passphrase is `textOf`, exactly as typed. */
export const pinOf = (secret: Secret): string => withPlainDigits(textOf(secret));

/**
 * Runs `work` with a PIN that was typed. A wrong or unsuitable PIN asks again, with the reason above the question; every
 * other refusal is the caller's.
 */
export async function withPin(
  deps: Pick<FeatureDeps, 'secrets' | 'guard'>,
  ctx: BotContext,
  again: Question,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!hasCode(error, 'PIN_WRONG') && !hasCode(error, 'PIN_UNSUITABLE')) throw error;
    const { words } = ctx.turn;
    const why =
      again.isCode === true && hasCode(error, 'PIN_WRONG')
        ? words.html('err.code_wrong', { left: error.details.triesLeft })
        : errorSentence(error, words);
    await askSecret(deps, ctx, { ...again, text: html`${why}\n\n${again.text}` });
  }
}

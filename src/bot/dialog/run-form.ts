import type { Conversation } from '@grammyjs/conversations';
import type { Context } from 'grammy';
import { isAddress } from '../../core/address/address.ts';
import { isAppError } from '../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import { errorSentence } from '../errors.ts';
import { parseCallback } from '../ui/callback.ts';
import { html } from '../ui/html.ts';
import { stoppedView } from '../ui/stopped.ts';
import { ANSWER_WITHIN_MS, type Answer, type Answers, type Form, MAX_STEPS, type Step } from './form.ts';

/** Feature part of the callback data of a question's own buttons. */
export const FORM_FEATURE = 'form';
const CANCEL_CHOICE = 'cancel';

const MAX_TEXT = 512;

type Taken =
  | { readonly kind: 'taken'; readonly value: string }
  | { readonly kind: 'again' }
  | { readonly kind: 'left' };

/**
 * The builder function of a form. The plugin replays it from its first line on every update, so everything that asks,
 * reads or shows happens inside `external`, which runs at least once; and a wrong answer rewinds, so the replay log does
 * not grow with it.
 */
export function formBuilder(form: Form) {
  if (form.steps.length > MAX_STEPS) throw new Error(`${form.id}: at most ${MAX_STEPS} questions`);
  return async (
    conversation: Conversation<BotContext, Context>,
    _ctx: Context,
    start: Answers,
  ): Promise<void> => {
    const answers: Record<string, string> = { ...start };
    for (const step of form.steps) {
      if (step.skip?.(answers) === true) continue;
      const askedIn = await conversation.external((ctx) =>
        contained(ctx, async () => ctx.turn.screen.show(await step.ask(ctx, answers))),
      );
      if (askedIn === null) return;
      const checkpoint = conversation.checkpoint();
      await conversation.wait({ maxMilliseconds: ANSWER_WITHIN_MS });
      const taken = await conversation.external((ctx) =>
        contained(ctx, () => take(ctx, step, answers, askedIn)),
      );
      if (taken === null) return;
      if (taken.kind === 'again') await conversation.rewind(checkpoint);
      if (taken.kind !== 'taken') return;
      answers[step.key] = taken.value;
    }
    await conversation.external((ctx) =>
      contained(ctx, async () => {
        await form.finish(ctx, answers);
        return null;
      }),
    );
  };
}

/** Runs a step's effect; a failure ends the dialogue and is thrown again outside, where it keeps its type. */
async function contained<T>(ctx: BotContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    ctx.turn.failure = { error };
    return null;
  }
}

async function take(ctx: BotContext, step: Step, answers: Answers, askedIn: number): Promise<Taken> {
  const { turn } = ctx;
  const data = ctx.callbackQuery?.data;
  if (data !== undefined) {
    const choice = parseCallback(data)?.action ?? '';
    // A button of an earlier question, of this dialogue or another one.
    const older = (ctx.callbackQuery?.message?.message_id ?? 0) < askedIn;
    if (older) {
      await turn.toast(turn.words.text('toast.stale'));
      return { kind: 'again' };
    }
    if (choice === CANCEL_CHOICE) {
      await turn.toast(turn.words.text('toast.stopped'));
      await turn.screen.show(stoppedView(turn.words));
      return { kind: 'left' };
    }
    const choices = typeof step.choices === 'function' ? step.choices(answers) : step.choices;
    const text = choices?.[choice];
    if (text === undefined) {
      await turn.toast(turn.words.text('toast.stale'));
      return { kind: 'again' };
    }
    await ctx.answerCallbackQuery().catch(() => null);
    return judge(ctx, step, answers, text);
  }

  const text = ctx.message?.text;
  if (text === undefined)
    return refuse(ctx, step, answers, { kind: 'refused', why: turn.words.html('form.text_only') });
  if (text.length > MAX_TEXT) {
    return refuse(ctx, step, answers, {
      kind: 'refused',
      why: turn.words.html('form.too_long', { max: MAX_TEXT }),
    });
  }
  if (step.takesAddresses !== true && isAddress(text.trim())) {
    await turn.go('trade', 'paste', { text: text.trim() });
    return { kind: 'left' };
  }
  return judge(ctx, step, answers, text.trim());
}

async function judge(ctx: BotContext, step: Step, answers: Answers, text: string): Promise<Taken> {
  let answer: Answer;
  try {
    answer = await step.read(ctx, text, answers);
  } catch (error) {
    if (!isAppError(error)) throw error;
    answer = { kind: 'refused', why: errorSentence(error, ctx.turn.words) };
  }
  return answer.kind === 'taken' ? answer : refuse(ctx, step, answers, answer);
}

/** Says why and asks again below, so that the reason and the question are read together. */
async function refuse(
  ctx: BotContext,
  step: Step,
  answers: Answers,
  refusal: Extract<Answer, { kind: 'refused' }>,
): Promise<Taken> {
  const question = await step.ask(ctx, answers);
  await ctx.turn.screen.show({ ...question, text: html`${refusal.why}\n\n${question.text}` });
  return { kind: 'again' };
}

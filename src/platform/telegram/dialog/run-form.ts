import type { Conversation } from '@grammyjs/conversations';
import { isAddress } from '@tradepost/solana';
import type { Context } from 'grammy';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import { errorSentence } from '../errors.ts';
import { borrowedBy } from '../reading/authored.ts';
import { linkBehind } from '../reading/said.ts';
import { parseCallback } from '../ui/callback.ts';
import { type Html, html } from '../ui/html.ts';
import { fromPlainJson, toPlainJson } from '../ui/plain-json.ts';
import type { View } from '../ui/screen.ts';
import { stoppedView } from '../ui/stopped.ts';
import {
  ANSWER_WITHIN_MS,
  type Answer,
  type Entry,
  type Form,
  type FormSpec,
  MAX_STEPS,
  type SentPicture,
  type Step,
} from './form.ts';

/** Feature part of the callback data of a question's own buttons. */
export const FORM_FEATURE = 'form';
const CANCEL_CHOICE = 'cancel';
const BACK_CHOICE = 'back';

const MAX_TEXT = 512;

type Taken =
  /** As it waits between updates: plain JSON. */
  | { readonly kind: 'taken'; readonly values: Entry['values'] }
  | { readonly kind: 'again' }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' };

/**
 * A form as the plugin runs it. The plugin replays it from its first line on every update. So everything that asks, reads or shows happens
 * inside `external`, which runs at least once. A wrong answer rewinds, so the replay log does not grow with it. Answers are kept as plain
 * JSON between updates and decoded into the form's own type wherever they are used.
 */
export function defineForm<D extends object, W extends D>(form: FormSpec<D, W>): Form<D> {
  if (form.steps.length > MAX_STEPS) throw new Error(`${form.id}: at most ${MAX_STEPS} questions`);
  return {
    id: form.id,
    version: form.version,
    act: form.act,
    entry: (draft, position = {}) => ({ values: plainValues(draft), ...position }),
    run: (conversation, _ctx, entry) => runForm(form, conversation, entry),
  };
}

async function runForm<D extends object, W extends D>(
  form: FormSpec<D, W>,
  conversation: Conversation<BotContext, Context>,
  { values: entered, begin, only }: Entry,
): Promise<void> {
  let values = entered;
  const askedBefore = new Map<number, ReturnType<typeof conversation.checkpoint>>();
  let index = Math.max(
    0,
    form.steps.findIndex(({ key }) => key === (only ?? begin)),
  );
  for (let step = form.steps[index]; step !== undefined; step = form.steps[index]) {
    const question = step;
    const draft = form.draft.parse(fromPlainJson(values));
    if (only === undefined && question.skip?.(draft) === true) {
      index += 1;
      continue;
    }
    const askedIn = await conversation.external((ctx) =>
      contained(ctx, async () => ctx.turn.screen.show(await asked(ctx, question, draft))),
    );
    if (askedIn === null) return;
    const checkpoint = conversation.checkpoint();
    askedBefore.set(index, checkpoint);
    await conversation.wait({ maxMilliseconds: ANSWER_WITHIN_MS });
    const taken = await conversation.external((ctx) =>
      contained(ctx, () => take(ctx, question, draft, askedIn)),
    );
    if (taken === null || taken.kind === 'left') return;
    if (taken.kind === 'again') await conversation.rewind(checkpoint);
    if (taken.kind === 'back' && only === undefined) {
      index = stepBefore(form.steps, draft, index);
      const before = askedBefore.get(index);
      const earlier = form.steps[index];
      // Rewound rather than repeated where it can be: the replay log does not grow with going to and fro.
      if (before !== undefined && earlier !== undefined) {
        await conversation.external((ctx) =>
          contained(ctx, async () => ctx.turn.screen.show(await asked(ctx, earlier, draft))),
        );
        await conversation.rewind(before);
      }
      continue;
    }
    if (taken.kind === 'taken') values = { ...values, ...taken.values };
    if (only !== undefined) break;
    index += 1;
  }
  await conversation.external((ctx) =>
    contained(ctx, async () => {
      await form.finish(ctx, form.whole.parse(fromPlainJson(values)), { only: only !== undefined });
      return null;
    }),
  );
}

function plainValues(draft: object): Entry['values'] {
  return Object.fromEntries(
    Object.entries(draft)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, toPlainJson(value)]),
  );
}

/** The nearest question before `index` that is asked with this draft; `index` itself when there is none. */
function stepBefore<D>(steps: readonly Step<D>[], draft: D, index: number): number {
  const before = steps.slice(0, index).findLastIndex((step) => step.skip?.(draft) !== true);
  return before < 0 ? index : before;
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

async function take<D extends object>(
  ctx: BotContext,
  step: Step<D>,
  draft: D,
  askedIn: number,
): Promise<Taken> {
  const data = ctx.callbackQuery?.data;
  return data === undefined
    ? takeMessage(ctx, step, draft)
    : takeTap(ctx, step, draft, { choice: parseCallback(data)?.action ?? '', askedIn });
}

/** An answer by a button below the question. */
async function takeTap<D extends object>(
  ctx: BotContext,
  step: Step<D>,
  draft: D,
  { choice, askedIn }: { readonly choice: string; readonly askedIn: number },
): Promise<Taken> {
  const { turn } = ctx;
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
  if (choice === BACK_CHOICE) {
    await ctx.answerCallbackQuery().catch(() => null);
    return { kind: 'back' };
  }
  const choices = typeof step.choices === 'function' ? step.choices(draft) : step.choices;
  const text = choices?.[choice];
  if (text === undefined) {
    await turn.toast(turn.words.text('toast.stale'));
    return { kind: 'again' };
  }
  await ctx.answerCallbackQuery().catch(() => null);
  return judge(ctx, step, draft, async () => step.read(ctx, text, draft));
}

/** An answer by a message: a text, or a picture where the question takes one. */
async function takeMessage<D extends object>(ctx: BotContext, step: Step<D>, draft: D): Promise<Taken> {
  const { turn } = ctx;
  const borrowed = ctx.message === undefined ? null : borrowedBy(ctx.message);
  if (borrowed !== null) {
    const why = turn.words.html(`borrowed.${borrowed}`);
    return refuse(ctx, step, draft, turn.words.html('form.borrowed', { why }));
  }
  if (linkBehind(ctx.message) !== null) {
    return refuse(ctx, step, draft, turn.words.html('form.link_behind'));
  }
  const picture = pictureOf(ctx);
  const { readPicture } = step;
  if (picture !== null && readPicture !== undefined) {
    return judge(ctx, step, draft, () => readPicture(ctx, picture, draft));
  }
  const text = ctx.message?.text;
  if (text === undefined) {
    const key = readPicture === undefined ? 'form.text_only' : 'form.text_or_picture';
    return refuse(ctx, step, draft, turn.words.html(key));
  }
  const maxText = step.maxText ?? MAX_TEXT;
  if (text.length > maxText) {
    return refuse(ctx, step, draft, turn.words.html('form.too_long', { max: maxText }));
  }
  if (step.takesAddresses !== true && isAddress(text.trim())) {
    await turn.go('trade', 'paste', { text: text.trim() });
    return { kind: 'left' };
  }
  return judge(ctx, step, draft, async () => step.read(ctx, text.trim(), draft));
}

/** The largest size of a photo, or a file: only its bytes show its true type. */
function pictureOf({ message }: BotContext): SentPicture | null {
  const sent = message?.photo?.at(-1) ?? message?.document;
  return sent === undefined
    ? null
    : { fileId: sent.file_id, bytes: sent.file_size ?? 0, caption: message?.caption?.trim() ?? '' };
}

async function judge<D extends object>(
  ctx: BotContext,
  step: Step<D>,
  draft: D,
  read: () => Promise<Answer<D>>,
): Promise<Taken> {
  let answer: Answer<D>;
  try {
    answer = await read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    answer = { kind: 'refused', why: errorSentence(error, ctx.turn.words) };
  }
  return answer.kind === 'taken'
    ? { kind: 'taken', values: plainValues(answer.draft) }
    : refuse(ctx, step, draft, answer.why);
}

/** A question as it is shown. One that opens the reply field has no room for a Cancel button, so it says how it is left. */
async function asked<D>(ctx: BotContext, step: Step<D>, draft: D): Promise<View> {
  const view = await step.ask(ctx, draft);
  if (view.placeholder === undefined || view.text.markup.includes('/cancel')) return view;
  return { ...view, text: html`${view.text}\n\n${ctx.turn.words.html('form.way_out')}` };
}

/** Says why and asks again below, so that the reason and the question are read together. */
async function refuse<D>(ctx: BotContext, step: Step<D>, draft: D, why: Html): Promise<Taken> {
  const question = await asked(ctx, step, draft);
  await ctx.turn.screen.show({ ...question, text: html`${why}\n\n${question.text}` });
  return { kind: 'again' };
}

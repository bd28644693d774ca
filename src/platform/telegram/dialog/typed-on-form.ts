import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { isAppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../context.ts';
import { errorSentence } from '../errors.ts';
import type { Feature, TapState, TypedReader } from '../feature.ts';
import { borrowedBy } from '../reading/authored.ts';
import { askedFor } from '../reading/said.ts';
import { deleteSecret } from '../secret/delete-secret.ts';
import { isPinShaped } from '../secret/secret-shapes.ts';
import { holdsAddress } from '../ui/holds-address.ts';
import type { Html } from '../ui/html.ts';
import { act, keyboard } from '../ui/keyboard.ts';
import { sendView } from '../ui/screen.ts';

/** How long the way back from a card that was opened over a form works. */
const KEPT_MS = 10 * 60_000;
const MOST_LETTERS = 512;

/** A form that is open, as it was read for this message. */
type Open = { readonly feature: string; readonly reader: TypedReader; readonly state: TapState };

/**
 * Gives a message to the form that is open. True when it was for the form: six digits are deleted, an address opens its card with a way
 * back, and everything else is read or refused by the form. False where no form is open, or where the text is none of a form's:
 * then it is answered as anywhere. Commands were answered before.
 */
export function typedOnForm(
  deps: FeatureDeps,
  features: readonly Feature[],
): (ctx: BotContext) => Promise<boolean> {
  const readers = new Map(
    features.flatMap(({ name, typed }) => (typed === undefined ? [] : [[name, typed]])),
  );
  return async (ctx) => {
    const form = await deps.openForms.standing(ctx);
    const reader = form === null ? undefined : readers.get(form.feature);
    const text = askedFor(ctx.message);
    if (form === null || reader === undefined || text.startsWith('/')) return false;
    const { id, feature } = form;
    const payload = await deps.states.read({ id, userId: ctx.turn.user.id, feature });
    if (payload === null) return false;
    const state: TapState = { buttonId: id, payload, index: null };
    return answered(deps, ctx, { feature, reader, state }, text);
  };
}

async function answered(deps: FeatureDeps, ctx: BotContext, open: Open, text: string): Promise<boolean> {
  const { reader, state } = open;
  if (isPinShaped(text)) {
    await deleteSecret(ctx, ctx.turn.words);
    await reader.again(ctx, state, ctx.turn.words.html('form.six_digits'));
  } else if (holdsAddress(text)) {
    await openCard(deps, ctx, open, text);
  } else if (!reader.takes(text)) {
    return false;
  } else {
    const why = whyNoAnswer(ctx) ?? (await refusedBy(ctx, open, text));
    if (why !== null) await reader.again(ctx, state, why);
  }
  return true;
}

/** Why a message is no answer; null for a text that the person wrote here. */
function whyNoAnswer({ message, turn: { words } }: BotContext): Html | null {
  const borrowed = message === undefined ? null : borrowedBy(message);
  if (borrowed !== null) return words.html('form.borrowed', { why: words.html(`borrowed.${borrowed}`) });
  if (message?.text === undefined) return words.html('form.text_only');
  return message.text.length > MOST_LETTERS ? words.html('form.too_long', { max: MOST_LETTERS }) : null;
}

/** Null when the form took it. */
async function refusedBy(ctx: BotContext, { reader, state }: Open, text: string): Promise<Html | null> {
  try {
    await reader.run(ctx, state, text);
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return errorSentence(error, ctx.turn.words);
  }
}

async function openCard(
  deps: FeatureDeps,
  ctx: BotContext,
  { feature, reader: { back }, state }: Open,
  text: string,
): Promise<void> {
  const { turn } = ctx;
  await turn.go('trade', 'paste', { text });
  if (ctx.chatId === undefined) return;
  const { payload } = state;
  const id = await deps.states.issue({ userId: turn.user.id, feature, payload, ttlMs: KEPT_MS });
  // A message of its own: the card is a screen, and a tap on it leaves this way back where it is.
  await sendView(ctx.api, ctx.chatId, {
    text: turn.words.html('form.kept'),
    keyboard: keyboard([act(turn.words.text(back.label(state)), feature, back.action, id)]),
  });
}

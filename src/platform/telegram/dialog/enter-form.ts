import type { BotContext } from '../context.ts';
import type { Form, Position } from './form.ts';

/** Starts a dialogue with the known answers, ending any other: one at a time per person. */
export async function enterForm<D>(
  ctx: BotContext,
  form: Pick<Form<D>, 'id' | 'entry'>,
  draft: D,
  position?: Position<D>,
): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(form.id, form.entry(draft, position));
}

/** Ends the waiting dialogue; true when there was one. */
export async function leaveForms(ctx: BotContext): Promise<boolean> {
  if (Object.keys(ctx.conversation.active()).length === 0) return false;
  await ctx.conversation.exitAll();
  return true;
}

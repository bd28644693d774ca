import type { BotContext } from '../context.ts';
import type { Form, Position } from './form.ts';

/** Starts a dialogue with what is known already, ending any other: one at a time per person. */
export async function enterForm<D>(
  ctx: BotContext,
  form: Pick<Form<D>, 'id' | 'entry'>,
  draft: D,
  position?: Position<D>,
): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(form.id, form.entry(draft, position));
}

/** Ends whatever dialogue is waiting; true when there was one. */
export async function leaveForms(ctx: BotContext): Promise<boolean> {
  if (Object.keys(ctx.conversation.active()).length === 0) return false;
  await ctx.conversation.exitAll();
  return true;
}

import type { BotContext } from '../context.ts';
import type { Answers, Form } from './form.ts';

/** Starts a dialogue, ending any other: one at a time per person. */
export async function enterForm(ctx: BotContext, form: Pick<Form, 'id'>, start: Answers = {}): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter(form.id, start);
}

/** Ends whatever dialogue is waiting; true when there was one. */
export async function leaveForms(ctx: BotContext): Promise<boolean> {
  if (Object.keys(ctx.conversation.active()).length === 0) return false;
  await ctx.conversation.exitAll();
  return true;
}

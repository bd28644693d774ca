import type { Stores } from '../../../platform/ports/stores.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { editText } from '../../../platform/telegram/ui/screen.ts';
import { loadResult, type ResultDeps } from './load-result.ts';
import { resultView } from './result-view.ts';

/** Draws a result's message again after a tap below it. It stays the same message: no screen takes its place. */
export async function redrawResult(
  deps: ResultDeps & { readonly db: Pick<Stores, 'intents'> },
  ctx: BotContext,
  intentId: string,
): Promise<void> {
  const { turn, chatId } = ctx;
  const messageId = ctx.callbackQuery?.message?.message_id;
  const intent = await deps.db.intents.find(intentId);
  if (messageId === undefined || chatId === undefined || intent?.userId !== turn.user.id) return;
  const attempts = await deps.db.intents.attempts(intent.id);
  const facts = await loadResult(deps, { intent, attempts }, turn.user.id, null, async () => ctx.me.username);
  await editText(ctx.api, chatId, messageId, resultView(turn.words, facts));
}

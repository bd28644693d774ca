import { badRequest } from '../tg-error.ts';
import type { Handler } from './handler.ts';

/** How long a tap can be answered. */
export const CALLBACK_TTL_MS = 150_000;

/** Ends the spinner on a button. A second answer, or one that comes too late, gets the same refusal. */
export const answerCallbackQuery: Handler<'answerCallbackQuery'> = (world, args) => {
  const queryId = args.text('callback_query_id') ?? '';
  const open = world.callbacks.get(queryId);
  world.callbacks.delete(queryId);
  if (open === undefined || world.clock.now() - open.at > CALLBACK_TTL_MS) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  }
  const text = args.text('text') ?? '';
  if (text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
  const url = args.text('url') ?? '';
  if (url !== '' && !/^(?:https?|tg):\/\/\S+$/i.test(url)) throw badRequest('URL_INVALID');
  world.events.emit({
    kind: 'answer',
    chatId: open.chatId,
    queryId,
    text,
    alert: args.flag('show_alert'),
    url,
  });
  return true;
};

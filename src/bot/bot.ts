import { conversations, createConversation } from '@grammyjs/conversations';
import { sequentialize } from '@grammyjs/runner';
import { Bot } from 'grammy';
import { clientOptions } from './client.ts';
import type { BotContext } from './context.ts';
import type { BotDeps, FeatureDeps } from './deps.ts';
import { formBuilder } from './dialog/run-form.ts';
import { createDialogStorage } from './dialog/storage.ts';
import { createFeatures } from './features/index.ts';
import { errorBoundary } from './middleware/error-boundary.ts';
import { membership } from './middleware/membership.ts';
import { onceEverywhere, onceInProcess } from './middleware/once.ts';
import { person } from './middleware/person.ts';
import { personLock } from './middleware/person-lock.ts';
import { privateOnly } from './middleware/private-only.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { timeLimit } from './middleware/time-limit.ts';
import { createRouter } from './router.ts';
import { createButtonStates } from './ui/state.ts';

/** Shorter than the lock's time to live, longer than any handler needs: slow work is queued. */
const HANDLER_MS = 12_000;

/**
 * The bot, ready to be polled or fed by a webhook; nothing runs yet. Needs `init` before the first update, which both do.
 *
 * Order matters: filter, one at a time per person, once per update, time limit, errors, speed limit, the person, then
 * commands and taps BEFORE dialogues (a waiting dialogue would eat them as answers), then what nobody took.
 */
export function createBot(deps: BotDeps): Bot<BotContext> {
  const bot = new Bot<BotContext>(deps.options.token, { client: clientOptions(deps.options.apiRoot) });
  const inner: FeatureDeps = {
    ...deps,
    states: createButtonStates({ buttons: deps.db.buttons, clock: deps.clock, ids: deps.ids }),
  };
  const features = createFeatures(inner);
  const forms = features.flatMap((feature) => feature.forms);
  const storage = createDialogStorage({
    dialogs: deps.dialogs,
    botId: () => bot.botInfo.id,
    version: forms.map(({ id, version }) => `${id}@${version}`).join(' '),
  });
  const router = createRouter(inner, features, storage.wasOutdated);

  bot.use(privateOnly());
  bot.use(sequentialize((ctx) => [String(ctx.chatId), String(ctx.from?.id)]));
  if (deps.options.mode === 'webhook') bot.use(onceEverywhere(deps), personLock(deps));
  else bot.use(onceInProcess());
  bot.use(errorBoundary(inner));
  bot.use(timeLimit(HANDLER_MS));
  bot.use(membership(deps));
  bot.use(rateLimit(deps.clock, deps.options.rateLimit));
  bot.use(person(inner, router.go));
  bot.use(conversations<BotContext, BotContext>({ storage }));
  bot.use(router.before);
  for (const form of forms) bot.use(createConversation(formBuilder(form), { id: form.id }));
  bot.use(router.after);
  bot.catch(({ error, ctx }) => {
    deps.log.error({ update: ctx.update.update_id, err: error }, 'an update was given up');
  });
  return bot;
}

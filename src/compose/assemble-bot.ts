import { conversations, createConversation } from '@grammyjs/conversations';
import { sequentialize } from '@grammyjs/runner';
import { Bot } from 'grammy';
import { groupChat } from '../modules/groups/chat/in-group.ts';
import { clientOptions } from '../platform/telegram/client.ts';
import type { BotContext } from '../platform/telegram/context.ts';
import { createOpenForms } from '../platform/telegram/dialog/open-forms.ts';
import { rememberDialogs } from '../platform/telegram/dialog/remembered-dialogs.ts';
import { createDialogStorage } from '../platform/telegram/dialog/storage.ts';
import { errorBoundary } from '../platform/telegram/middleware/error-boundary.ts';
import { membership } from '../platform/telegram/middleware/membership.ts';
import { onceEverywhere, onceInProcess } from '../platform/telegram/middleware/once.ts';
import { person } from '../platform/telegram/middleware/person.ts';
import { personLock } from '../platform/telegram/middleware/person-lock.ts';
import { privateOnly } from '../platform/telegram/middleware/private-only.ts';
import { rateLimit } from '../platform/telegram/middleware/rate-limit.ts';
import { timeLimit } from '../platform/telegram/middleware/time-limit.ts';
import { createRouter } from '../platform/telegram/router.ts';
import { createSecretPrompts } from '../platform/telegram/secret/prompts.ts';
import { secretInput } from '../platform/telegram/secret/secret-input.ts';
import { secretsFirst } from '../platform/telegram/secret/secrets-first.ts';
import type { FeatureDeps } from './bot-deps.ts';
import { createFeatures } from './features.ts';

/** Shorter than the lock's time to live, longer than any handler needs: slow work is queued. */
const HANDLER_MS = 12_000;

/**
 * The bot, ready to be polled or fed by a webhook; nothing runs yet. Needs `init` before the first update, which both do.
 *
 * Order matters. First the filter, which answers groups by itself; then one update at a time per person, each once, errors and the time
 * limit. Updates that may be a secret or are urgent come next, then the speed limit, the person, and answers that are secrets. Then comes
 * the end of a dialogue that a command or another screen's button leaves behind. The dialogues follow, and then everything else.
 */
export function assembleBot(world: Omit<FeatureDeps, 'secrets' | 'openForms'>): Bot<BotContext> {
  const dialogs = world.options.transport.mode === 'polling' ? rememberDialogs(world.dialogs) : world.dialogs;
  const deps: FeatureDeps = {
    ...world,
    secrets: createSecretPrompts({ dialogs, clock: world.clock }),
    openForms: createOpenForms({ dialogs }),
  };
  const bot = new Bot<BotContext>(deps.options.token, { client: clientOptions(deps.options.apiRoot) });
  const features = createFeatures(deps);
  const forms = features.flatMap((feature) => feature.forms);
  const storage = createDialogStorage({
    dialogs,
    botId: () => bot.botInfo.id,
    version: forms.map(({ id, version }) => `${id}@${version}`).join(' '),
  });
  const router = createRouter(deps, features, storage.wasOutdated);

  bot.use(privateOnly(groupChat(deps)));
  bot.use(sequentialize((ctx) => [String(ctx.chatId), String(ctx.from?.id)]));
  if (deps.options.transport.mode === 'webhook') bot.use(onceEverywhere(deps), personLock(deps));
  else bot.use(onceInProcess());
  bot.use(errorBoundary(deps));
  bot.use(timeLimit(HANDLER_MS));
  bot.use(membership(deps));
  bot.use(secretsFirst(deps));
  bot.use(rateLimit(deps.clock, deps.options.rateLimit));
  bot.use(person(deps, router.go));
  bot.use(secretInput(deps, features));
  bot.use(conversations<BotContext, BotContext>({ storage }));
  bot.use(router.leave);
  for (const form of forms) bot.use(createConversation(form.run, { id: form.id }));
  bot.use(router.handle);
  bot.catch(({ error, ctx }) => {
    deps.log.error({ update: ctx.update.update_id, err: error }, 'an update was given up');
  });
  return bot;
}

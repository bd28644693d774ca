import { setTimeout } from 'node:timers/promises';
import { steadyOf } from '../core/time/elapsed.ts';
import type { Notifier } from '../platform/ports/notifier.ts';

export type { BotDeps } from './bot-deps.ts';

import { createBotNotifier } from '../platform/telegram/notifier.ts';
import { pollUpdates } from '../platform/telegram/poll.ts';
import { createTelegramLink } from '../platform/telegram/telegram-link.ts';
import { createButtonStates } from '../platform/telegram/ui/state.ts';
import { serveWebhook } from '../platform/telegram/webhook.ts';
import { assembleBot } from './assemble-bot.ts';
import type { BotDeps, FeatureDeps } from './bot-deps.ts';

/** The chat front end of one process. */
export interface RunningBot {
  /** Delivers notices; works without `start`, for a process that only runs the worker. */
  readonly notifier: Notifier;
  /**
   * Resolves when updates are taken, however long Telegram is away before. Throws CONFIG_INVALID when Telegram does not know
   * the token, and at once when `stop` is called meanwhile.
   */
  start(): Promise<void>;
  /** Takes no more updates and waits for handlers that run. */
  stop(): Promise<void>;
  /** The bot's name in links; null before Telegram has said it. */
  username(): string | null;
  /** When Telegram last answered this process; null before its first answer. */
  lastAnswerAt(): number | null;
}

/** Composes the bot; nothing runs before `start`. */
export function createBot(deps: BotDeps): RunningBot {
  const featureDeps: Omit<FeatureDeps, 'secrets' | 'openForms'> = {
    ...deps,
    states: createButtonStates({ buttons: deps.db.buttons, clock: deps.clock, ids: deps.ids }),
  };
  const bot = assembleBot(featureDeps);
  const { transport } = deps.options;
  let running: { stop(): Promise<void> } | null = null;
  const stop = new AbortController();
  const { signal: stopping } = stop;
  const { log } = deps;
  const link = createTelegramLink({
    steadyMs: steadyOf(deps.clock),
    // An aborted wait is over, not failed.
    pause: (ms) => setTimeout(ms, undefined, { signal: stopping }).catch(() => undefined),
    log,
  });
  return {
    notifier: createBotNotifier({ ...featureDeps, api: bot.api }),
    username: () => (bot.isInited() ? bot.botInfo.username : null),
    lastAnswerAt: () => link.lastAnswerAt(),
    start: async () => {
      running =
        transport.mode === 'webhook'
          ? await serveWebhook(bot, transport, { link, log, stopping })
          : await pollUpdates(bot, { link, log, stopping });
    },
    stop: async () => {
      stop.abort();
      await running?.stop();
      running = null;
    },
  };
}

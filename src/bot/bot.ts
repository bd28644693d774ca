import type { Notifier } from '../core/ports/notifier.ts';

export type { BotDeps } from './deps.ts';

import { assembleBot } from './assemble-bot.ts';
import type { BotDeps, FeatureDeps } from './deps.ts';
import { createBotNotifier } from './notifier.ts';
import { pollUpdates } from './poll.ts';
import { createButtonStates } from './ui/state.ts';
import { serveWebhook } from './webhook.ts';

/** The chat front end of one process. */
export interface RunningBot {
  /** Delivers notices; works without `start`, for a process that only runs the worker. */
  readonly notifier: Notifier;
  /** Resolves when updates are taken. */
  start(): Promise<void>;
  /** Takes no more updates and waits for handlers that run. */
  stop(): Promise<void>;
}

/** Composes the bot; nothing runs before `start`. */
export function createBot(deps: BotDeps): RunningBot {
  const featureDeps: Omit<FeatureDeps, 'secrets'> = {
    ...deps,
    states: createButtonStates({ buttons: deps.db.buttons, clock: deps.clock, ids: deps.ids }),
  };
  const bot = assembleBot(featureDeps);
  const { transport } = deps.options;
  let running: { stop(): Promise<void> } | null = null;
  return {
    notifier: createBotNotifier({ ...featureDeps, api: bot.api }),
    start: async () => {
      running =
        transport.mode === 'webhook'
          ? await serveWebhook(bot, transport, deps.log)
          : await pollUpdates(bot, deps.log);
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
  };
}

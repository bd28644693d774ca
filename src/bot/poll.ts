import { run } from '@grammyjs/runner';
import type { Bot } from 'grammy';
import type { Logger } from '../core/ports/logger.ts';
import type { BotContext } from './context.ts';
import { publishProfile } from './profile.ts';

export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member'] as const;

/** Updates handled at once over all people; one person's own come one after the other. */
const CONCURRENCY = 500;

/**
 * Long polling, until `stop`, which waits for handlers that run. One poller per token: when another instance polls, the
 * runner keeps trying with growing pauses and takes over when that one ends.
 */
export async function pollUpdates(
  bot: Bot<BotContext>,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<{ stop(): Promise<void> }> {
  await bot.init();
  // A webhook left over from another mode would make every poll fail.
  await bot.api.deleteWebhook();
  const runner = run(bot, {
    runner: {
      fetch: { allowed_updates: ALLOWED_UPDATES, timeout: 30 },
      retryInterval: 'exponential',
      maxRetryTime: Number.POSITIVE_INFINITY,
      silent: true,
    },
    sink: { concurrency: CONCURRENCY },
  });
  void publishProfile(bot.api, log);
  return {
    stop: async () => {
      if (runner.isRunning()) await runner.stop();
    },
  };
}

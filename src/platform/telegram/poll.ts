import { createConcurrentSink, createRunner, createSource } from '@grammyjs/runner';
import type { Bot, BotError } from 'grammy';
import type { Logger } from '../ports/logger.ts';
import type { BotContext } from './context.ts';
import { publishProfile } from './profile.ts';
import { ALLOWED_UPDATES } from './reading/message-kinds.ts';
import type { TelegramLink } from './telegram-link.ts';

/** Updates handled at once over all people; one person's own come one after the other. */
const CONCURRENCY = 500;
/** Shorter than the client's own timeout: a connection that died in silence is noticed by it. */
const LONG_POLL_SECONDS = 20;
const MAX_BATCH = 100;

/** The dependencies of taking updates, by either way. */
export type TakingDeps = {
  readonly link: TelegramLink;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Aborted when the process stops, also while it still starts. */
  readonly stopping: { readonly aborted: boolean };
};

/** Asks Telegram who the bot is, as long as it takes. Throws CONFIG_INVALID when Telegram does not know the token. */
export async function learnOwnName(
  bot: Bot<BotContext>,
  { link, stopping }: Pick<TakingDeps, 'link' | 'stopping'>,
): Promise<void> {
  bot.botInfo = await link.ask(() => bot.api.getMe(), { signal: stopping, atStart: true });
}

/**
 * Long polling, until `stop`, which waits for handlers that run. One poller per token: while another instance polls, this
 * one keeps asking and takes over when that one ends. No outage of Telegram ends it.
 */
export async function pollUpdates(
  bot: Bot<BotContext>,
  deps: TakingDeps,
): Promise<{ stop(): Promise<void> }> {
  const { link, log, stopping } = deps;
  await learnOwnName(bot, deps);
  // A webhook left over from another mode would make every poll fail.
  await link.ask(() => bot.api.deleteWebhook(), { signal: stopping, atStart: true });
  let offset = 0;
  const source = createSource({
    supply: async (room, signal) => {
      const limit = Math.max(1, Math.min(room, MAX_BATCH));
      const question = { offset, limit, timeout: LONG_POLL_SECONDS, allowed_updates: ALLOWED_UPDATES };
      const ended = {
        get aborted(): boolean {
          return signal.aborted || stopping.aborted;
        },
      };
      const updates = await link.ask(() => bot.api.getUpdates(question, signal), { signal: ended });
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      return updates;
    },
  });
  const sink = createConcurrentSink<Parameters<typeof bot.handleUpdate>[0]>(
    { consume: (update) => bot.handleUpdate(update) },
    async (error) => void (await bot.errorHandler(error as BotError<BotContext>)),
    { concurrency: CONCURRENCY },
  );
  const runner = createRunner(source, sink);
  runner.start();
  void publishProfile(bot.api, log);
  return {
    stop: async () => {
      if (runner.isRunning()) await runner.stop();
    },
  };
}

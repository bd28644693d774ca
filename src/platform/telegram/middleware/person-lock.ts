import type { Middleware } from 'grammy';
import type { DialogStore } from '../../ports/dialog-store.ts';
import type { BotContext } from '../context.ts';
import { UpdateBusyError } from './once.ts';
import { isOverdue } from './time-limit.ts';

const TTL_MS = 30_000;
const WAIT_MS = 5_000;
const STEP_MS = 50;

/**
 * One update of a person at a time over all replicas. Telegram queues a person's messages and taps apart, so two of them
 * can arrive at once. Needed with webhooks only: the one polling process orders a person's updates in memory.
 */
export function personLock(input: { readonly dialogs: Pick<DialogStore, 'lock'> }): Middleware<BotContext> {
  return async (ctx, next) => {
    if (ctx.from === undefined) return next();
    const key = `lock:${ctx.me.id}:${ctx.from.id}`;
    for (let waited = 0; ; waited += STEP_MS) {
      const lock = await input.dialogs.lock(key, TTL_MS);
      if (lock !== null) {
        await next();
        // Not released when the handler was given up: it may still run, and the lock has its time to live.
        if (!isOverdue(ctx)) await lock.release();
        return;
      }
      if (waited >= WAIT_MS) throw new UpdateBusyError(key);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  };
}

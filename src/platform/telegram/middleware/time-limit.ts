import type { Middleware } from 'grammy';
import type { BotContext } from '../context.ts';

const overdue = new WeakSet<BotContext>();

/** True when this update's handler was given up: it may still run. */
export const isOverdue = (ctx: BotContext): boolean => overdue.has(ctx);

export class HandlerTimeoutError extends Error {}

/** Gives up waiting for a handler after `ms`; it may still run, which is why nothing that moves money happens in one. */
export function timeLimit(ms: number): Middleware<BotContext> {
  return async (ctx, next) => {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        overdue.add(ctx);
        reject(new HandlerTimeoutError(`no end within ${ms} ms`));
      }, ms);
    });
    try {
      await Promise.race([next(), expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}

import type { Middleware } from 'grammy';
import { chooseLanguage, wordsOf } from '../../../compose/texts/words.ts';
import { steadyOf } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BotContext } from '../context.ts';

export type RateLimit = {
  readonly updates: number;
  readonly windowMs: number;
  /** Another time than the service's own: for people who act faster than people can. */
  readonly steadyMs?: () => number;
};

/** The limit of one person: slower than a script, faster than a thumb. The same everywhere, or no test would meet it. */
export const PERSON_LIMIT: RateLimit = { updates: 3, windowMs: 2_000 };

const free = new WeakSet<BotContext>();

/** This update is neither counted nor dropped. */
export const unlimited = (ctx: BotContext): void => void free.add(ctx);

/** People whose window is over are forgotten when the table is this large. */
const SWEEP_AT = 10_000;

/**
 * At most `updates` per window and person; the first one above gets one toast or sentence, the rest silence. An update marked `unlimited`
 * passes.
 */
export function rateLimit(clock: Clock, limit: RateLimit): Middleware<BotContext> {
  const steadyMs = steadyOf(clock);
  const windows = new Map<number, { since: number; count: number }>();
  return async (ctx, next) => {
    if (ctx.from === undefined || free.has(ctx)) return next();
    const at = limit.steadyMs?.() ?? steadyMs();
    const window = windows.get(ctx.from.id);
    if (window === undefined || at - window.since >= limit.windowMs) {
      if (windows.size >= SWEEP_AT) sweep(windows, at - limit.windowMs);
      windows.set(ctx.from.id, { since: at, count: 1 });
      return next();
    }
    window.count += 1;
    if (window.count <= limit.updates) return next();
    const words = wordsOf(chooseLanguage(null, ctx.from.language_code ?? null));
    if (window.count === limit.updates + 1) {
      const text = words.text('toast.slow_down');
      if (ctx.callbackQuery === undefined) await ctx.reply(text);
      else await ctx.answerCallbackQuery({ text });
    } else if (ctx.callbackQuery !== undefined) {
      await ctx.answerCallbackQuery();
    }
  };
}

function sweep(windows: Map<number, { since: number }>, before: number): void {
  for (const [id, { since }] of windows) if (since <= before) windows.delete(id);
}

import { Composer, type MiddlewareFn } from 'grammy';
import type { FeatureDeps } from '../../compose/bot-deps.ts';
import { hasCode } from '../../core/errors/app-error.ts';
import type { BotContext } from './context.ts';
import { leaveForms } from './dialog/enter-form.ts';
import { FORM_FEATURE } from './dialog/run-form.ts';
import { typedOnForm } from './dialog/typed-on-form.ts';
import { COMMANDS, type Feature, type Tap, type TapState } from './feature.ts';
import type { Go } from './middleware/person.ts';
import { borrowedOffer } from './reading/borrowed-offer.ts';
import { commandOf } from './reading/command-of.ts';
import { askedFor, linkBehind } from './reading/said.ts';
import { parseCallback } from './ui/callback.ts';
import { holdsAddress } from './ui/holds-address.ts';
import { act, keyboard, nav } from './ui/keyboard.ts';
import { lockedView } from './ui/locked.ts';
import { unknownCommand } from './ui/unknown-command.ts';

export type Router = {
  /** Goes before the dialogues: a command or a tap on another screen ends a waiting one, or it would eat them as answers. */
  readonly leave: MiddlewareFn<BotContext>;
  /** Goes after the dialogues, which have to be installed before anybody can enter one. */
  readonly handle: Composer<BotContext>;
  readonly go: Go;
};

/** From updates to features. Everything derives from the registry. */
export function createRouter(
  deps: FeatureDeps,
  features: readonly Feature[],
  wasOutdated: (ctx: BotContext) => boolean,
): Router {
  const taps = new Map<string, Tap>();
  for (const feature of features) {
    for (const [action, tap] of Object.entries(feature.taps)) taps.set(`${feature.name}:${action}`, tap);
  }

  async function runTap(ctx: BotContext, tap: Tap, state: TapState | null): Promise<void> {
    if (isLocked(ctx, tap.unlocked)) {
      await ctx.turn.screen.show(lockedView(ctx.turn));
      return;
    }
    await tap.run(ctx, state);
  }

  const go: Go = async (ctx, feature, action, payload) => {
    const tap = taps.get(`${feature}:${action}`);
    if (tap === undefined) throw new Error(`no such screen: ${feature}:${action}`);
    await runTap(ctx, tap, { buttonId: null, payload, index: null });
  };

  const unpublished = features.flatMap((feature) => feature.hidden ?? []);
  const open = unpublished.filter(({ forOperators }) => forOperators !== true).map(({ name }) => name);
  const commands: readonly string[] = [...COMMANDS, ...open];

  const runs = new Map<string, (ctx: BotContext, rest: string) => Promise<unknown>>();
  for (const { name, unlocked, run } of features.flatMap((feature) => feature.commands)) {
    runs.set(name, async (ctx, rest) => {
      if (isLocked(ctx, unlocked)) await ctx.turn.screen.fresh(lockedView(ctx.turn));
      else await run(ctx, rest);
    });
  }
  for (const { name, run } of unpublished) runs.set(name, (ctx) => run(ctx));
  const commandIn = ({ message }: BotContext) => runs.get(commandOf(message)?.name ?? '');

  const leave: MiddlewareFn<BotContext> = async (ctx, next) => {
    const tapped = ctx.callbackQuery?.data;
    const elsewhere = tapped === undefined ? commandIn(ctx) !== undefined : !isFormTap(tapped);
    if (elsewhere && (await leaveForms(ctx))) ctx.turn.leftDialogue = true;
    await next();
    if (ctx.turn.failure !== null) throw ctx.turn.failure.error;
  };

  const onForm = typedOnForm(deps, features);
  const handle = new Composer<BotContext>();
  handle.use(async (ctx, next) => {
    try {
      await next();
    } finally {
      // A text that was handled without opening the form anew has led away from it.
      if (ctx.message !== undefined || ctx.callbackQuery !== undefined) await deps.openForms.settle(ctx);
    }
  });
  handle.on('callback_query', async (ctx) => {
    const data = parseCallback(ctx.callbackQuery.data ?? '');
    const tap = data === null ? undefined : taps.get(`${data.feature}:${data.action}`);
    if (data === null || tap === undefined) return stale(ctx, null);
    let state: TapState | null =
      data.index === null ? null : { buttonId: null, payload: null, index: data.index };
    if (data.id !== null) {
      const payload = await deps.states.read({
        id: data.id,
        userId: ctx.turn.user.id,
        feature: data.feature,
        row: ctx.turn.button,
      });
      if (payload === null) return stale(ctx, tap);
      state = { buttonId: data.id, payload, index: data.index };
    }
    // The tap is answered while its screen is made: one round trip less to wait for.
    const answered = tap.toasts === true ? null : ctx.turn.toast('');
    if (tap.back !== undefined && data.id !== null) {
      ctx.turn.back = act(ctx.turn.words.text('btn.back'), data.feature, tap.back, data.id);
    }
    try {
      await runTap(ctx, tap, state);
    } catch (error) {
      if (!hasCode(error, 'BUTTON_STALE')) throw error;
      await stale(ctx, tap);
    } finally {
      await answered;
      // Every tap is answered on every path, or the button would spin for a minute.
      await ctx.turn.toast('');
    }
  });

  handle.on('message', async (ctx) => {
    const { turn, message } = ctx;
    const command = commandOf(message);
    const run = commandIn(ctx);
    if (command !== null && run !== undefined) {
      const offer = borrowedOffer(turn.words, command.name, message);
      if (offer !== null) await turn.screen.fresh(offer);
      else await run(ctx, linkBehind(message) ?? command.rest);
      return;
    }
    const text = askedFor(message);
    if (wasOutdated(ctx)) {
      await turn.screen.fresh({ text: turn.words.html('form.outdated'), keyboard: homeButton(ctx) });
      return;
    }
    if (await onForm(ctx)) return;
    if (turn.user.settings.paper?.on === true && text !== '' && !text.startsWith('/')) {
      await go(ctx, 'paper', 'said', { text });
      return;
    }
    const { words } = turn;
    if (isLocked(ctx)) {
      const view = lockedView(turn);
      // A slip in a command is named as such: the way on is the same.
      const isCommand = text.startsWith('/');
      await turn.screen.fresh(isCommand ? { ...view, text: unknownCommand(words, text, commands) } : view);
      return;
    }
    if (holdsAddress(text)) {
      await go(ctx, 'trade', 'paste', { text });
      return;
    }
    if (text !== '' && !text.startsWith('/')) {
      await go(ctx, 'search', 'said', { text });
      return;
    }
    await turn.screen.fresh({
      text: text === '' ? words.html('text.not_words') : unknownCommand(words, text, commands),
      keyboard: keyboard([
        nav(words.text('btn.trade'), 'trade', 'open'),
        nav(words.text('btn.help'), 'help', 'open'),
        nav(words.text('btn.home'), 'home', 'open'),
      ]),
    });
  });

  /** An old, used, foreign or forged button: one toast and a screen that works. */
  async function stale(ctx: BotContext, tap: Tap | null): Promise<void> {
    if (tap?.stale !== undefined) {
      await tap.stale(ctx);
      return;
    }
    await ctx.turn.toast(ctx.turn.words.text('toast.stale'));
    // The old message keeps its text; it may be a receipt.
    await ctx.turn.screen.keep();
    if (isLocked(ctx)) await ctx.turn.screen.fresh(lockedView(ctx.turn));
    else await go(ctx, 'home', 'open', null);
  }

  return { leave, handle, go };
}

const isFormTap = (data: string): boolean => parseCallback(data)?.feature === FORM_FEATURE;

const isLocked = (ctx: BotContext, unlocked?: boolean): boolean =>
  unlocked !== true && ctx.turn.user.activeWalletId === null;

const homeButton = (ctx: BotContext) => keyboard([nav(ctx.turn.words.text('btn.home'), 'home', 'open')]);

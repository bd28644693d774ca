import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, Tap } from '../../../platform/telegram/feature.ts';
import { settingsWithPin } from '../../../platform/telegram/secret/settings-pin.ts';
import { type ExitSet, NO_EXITS, nextLiquidity, withDevSells, withLiquidity } from '../rules/exit-set.ts';
import { DEFAULT_SETTINGS, SENDINGS, type Settings } from '../rules/settings.ts';
import { settingForms, TYPED_SETTINGS } from './flow.ts';
import { slippageScreen } from './slippage.ts';
import {
  EXIT_CHOICES,
  exitsView,
  LANGUAGE_CODES,
  languageView,
  presetsView,
  priorityView,
  resetView,
  sendingView,
  settingsView,
  TIERS,
} from './view.ts';

/** /setting. */
export function settingFeature(deps: FeatureDeps): Feature {
  async function save({ turn }: BotContext, change: Partial<Settings>): Promise<void> {
    const settings = await deps.guard.changeSettings({ userId: turn.user.id, change });
    turn.change({ settings });
  }

  const open = ({ turn }: BotContext): Promise<number> =>
    turn.screen.show(settingsView(turn.words, turn.user.settings));

  const presets = ({ turn }: BotContext): Promise<number> =>
    turn.screen.show(presetsView(turn.words, turn.user.settings));

  const forms = settingForms(async (ctx, change) => {
    await save(ctx, change);
    await presets(ctx);
  });
  const slippage = slippageScreen(deps, save);

  /** Saves and shows the settings again. */
  const choose = (change: (settings: Settings) => Partial<Settings>): Tap => ({
    act: 'settings',
    toasts: true,
    run: async (ctx) => {
      await save(ctx, change(ctx.turn.user.settings));
      await ctx.turn.toast(ctx.turn.words.text('toast.saved'));
      await open(ctx);
    },
  });

  return {
    name: 'setting',
    commands: [{ name: 'setting', act: 'reads', run: open }],
    taps: {
      open: { act: 'reads', run: open },
      ...Object.fromEntries(
        TYPED_SETTINGS.map((name): [string, Tap] => [
          name,
          { act: 'settings', run: (ctx) => enterForm(ctx, forms[name], {}) },
        ]),
      ),
      presets: { act: 'reads', run: presets },
      ...slippage.taps,
      ...priorityTaps(save, open),
      ...sendingTaps(choose),
      confirm: choose(({ confirmTrades }) => ({ confirmTrades: !confirmTrades })),
      ...exitTaps(save),
      ...languageTaps(save, open),
      reset: { act: 'reads', run: ({ turn }) => turn.screen.show(resetView(turn.words)) },
      // Pretend money is no setting: it has a reset of its own.
      reset_yes: choose(({ paper }) => ({ ...DEFAULT_SETTINGS, paper })),
    },
    forms: Object.values(forms),
    typed: slippage.typed,
    // Many people type it so.
    hidden: [{ name: 'settings', act: 'reads', run: ({ turn }) => turn.go('setting', 'open') }],
    secrets: { pin: { act: ['slippage-high', 'auto-buy-on'], run: settingsWithPin(deps) } },
  };
}

/** How signed trades reach the leader. */
function sendingTaps(choose: (change: () => Partial<Settings>) => Tap): Feature['taps'] {
  return {
    sending: {
      act: 'reads',
      run: ({ turn }) => turn.screen.show(sendingView(turn.words, turn.user.settings.sending)),
    },
    ...Object.fromEntries(
      SENDINGS.map((sending): [string, Tap] => [`send_${sending}`, choose(() => ({ sending }))]),
    ),
  };
}

/** From a card it leads back to it. */
function priorityTaps(
  save: (ctx: BotContext, change: Partial<Settings>) => Promise<void>,
  open: (ctx: BotContext) => Promise<unknown>,
): Feature['taps'] {
  return {
    priority: {
      act: 'reads',
      run: ({ turn }, tap) =>
        turn.screen.show(priorityView(turn.words, turn.user.settings.tier, tap?.buttonId ?? null)),
    },
    ...Object.fromEntries(
      TIERS.map((tier): [string, Tap] => [
        tier,
        {
          act: 'settings',
          toasts: true,
          run: async (ctx, tap) => {
            const { turn } = ctx;
            await save(ctx, { tier });
            await turn.toast(turn.words.text('toast.saved'));
            await (tap === null ? open(ctx) : turn.go('trade', 'card', tap.payload));
          },
        },
      ]),
    ),
  };
}

/** Each choice is saved at once, and tapped again it is taken off. */
function exitTaps(save: (ctx: BotContext, change: Partial<Settings>) => Promise<void>): Feature['taps'] {
  const show = ({ turn }: BotContext): Promise<number> =>
    turn.screen.show(exitsView(turn.words, turn.user.settings.exits));
  const choose = (change: (exits: ExitSet, index: number) => ExitSet): Tap => ({
    act: 'settings',
    run: async (ctx, tap) => {
      await save(ctx, { exits: change(ctx.turn.user.settings.exits, tap?.index ?? -1) });
      await show(ctx);
    },
  });
  const chosen = (choices: readonly number[], index: number): number => {
    const bps = choices[index];
    if (bps === undefined) throw new AppError('BUTTON_STALE', {});
    return bps;
  };
  return {
    exits: { act: 'reads', run: show },
    exit_off: choose(() => NO_EXITS),
    exit_take: choose((exits, index) => {
      const atBps = chosen(EXIT_CHOICES.take, index);
      const isOn = exits.takes.some((take) => take.atBps === atBps);
      return { ...exits, takes: isOn ? [] : [{ atBps, shareBps: 10_000 }] };
    }),
    exit_stop: choose((exits, index) => {
      const stopBps = chosen(EXIT_CHOICES.stop, index);
      return { ...exits, stopBps: exits.stopBps === stopBps ? null : stopBps, trailBps: null };
    }),
    exit_dev: choose((exits) => withDevSells(exits, exits.devSells !== true)),
    exit_liquidity: choose((exits) => withLiquidity(exits, nextLiquidity(exits.liquidityBps ?? null))),
    exit_trail: choose((exits, index) => {
      const trailBps = chosen(EXIT_CHOICES.trail, index);
      return { ...exits, trailBps: exits.trailBps === trailBps ? null : trailBps, stopBps: null };
    }),
  };
}

/** They work before there is a wallet: the welcome screen offers them. */
function languageTaps(
  save: (ctx: BotContext, change: Partial<Settings>) => Promise<void>,
  open: (ctx: BotContext) => Promise<unknown>,
): Feature['taps'] {
  const choose = (language: string | null): Tap => ({
    act: 'language',
    unlocked: true,
    run: async (ctx) => {
      await save(ctx, { language });
      await (ctx.turn.user.activeWalletId === null ? ctx.turn.go('start', 'open') : open(ctx));
    },
  });
  return {
    language: {
      act: 'reads',
      unlocked: true,
      run: ({ turn: { screen, words, user } }) => {
        const back = user.activeWalletId === null ? 'start' : 'setting';
        return screen.show(languageView(words, user.settings.language, back));
      },
    },
    ...Object.fromEntries(LANGUAGE_CODES.map((code): [string, Tap] => [`lang_${code}`, choose(code)])),
    lang_auto: choose(null),
  };
}

import { DEFAULT_SETTINGS, type Settings } from '../../../core/users/settings.ts';
import { updateSettings } from '../../../services/settings/update-settings.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import type { Feature, Tap } from '../../feature.ts';
import { settingForms, TYPED_SETTINGS } from './flow.ts';
import { LANGUAGE_CODES, languageView, priorityView, resetView, settingsView, TIERS } from './view.ts';

/** /setting. */
export function settingFeature(deps: FeatureDeps): Feature {
  async function save({ turn }: BotContext, change: Partial<Settings>): Promise<void> {
    const settings = await updateSettings(deps, { userId: turn.user.id, change });
    turn.change({ settings });
  }

  const open = ({ turn }: BotContext): Promise<number> =>
    turn.screen.show(settingsView(turn.words, turn.user.settings));

  const forms = settingForms(async (ctx, change) => {
    await save(ctx, change);
    await open(ctx);
  });

  /** Saves and shows the settings again. */
  const choose = (change: (settings: Settings) => Partial<Settings>): Tap => ({
    toasts: true,
    run: async (ctx) => {
      await save(ctx, change(ctx.turn.user.settings));
      await ctx.turn.toast(ctx.turn.words.text('toast.saved'));
      await open(ctx);
    },
  });

  return {
    name: 'setting',
    commands: [{ name: 'setting', run: open }],
    taps: {
      open: { run: open },
      ...Object.fromEntries(
        TYPED_SETTINGS.map((name): [string, Tap] => [
          name,
          { run: (ctx) => enterForm(ctx, forms[name], {}) },
        ]),
      ),
      priority: { run: ({ turn }) => turn.screen.show(priorityView(turn.words, turn.user.settings.tier)) },
      ...Object.fromEntries(TIERS.map((tier): [string, Tap] => [tier, choose(() => ({ tier }))])),
      confirm: choose(({ confirmTrades }) => ({ confirmTrades: !confirmTrades })),
      ...languageTaps(save, open),
      reset: { run: ({ turn }) => turn.screen.show(resetView(turn.words)) },
      // Pretend money is no setting: it has a reset of its own.
      reset_yes: choose(({ paper }) => ({ ...DEFAULT_SETTINGS, paper })),
    },
    forms: Object.values(forms),
  };
}

/** They work before there is a wallet: the welcome screen offers them. */
function languageTaps(
  save: (ctx: BotContext, change: Partial<Settings>) => Promise<void>,
  open: (ctx: BotContext) => Promise<unknown>,
): Feature['taps'] {
  const choose = (language: string | null): Tap => ({
    unlocked: true,
    run: async (ctx) => {
      await save(ctx, { language });
      await (ctx.turn.user.activeWalletId === null ? ctx.turn.go('start', 'open') : open(ctx));
    },
  });
  return {
    language: {
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

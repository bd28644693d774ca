import { SOL_DECIMALS } from '../../../core/amounts/lamports.ts';
import { AUTO_BUY_IMPACTS_BPS, type AutoBuy } from '../../../core/auto-buy/auto-buy.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { updateSettings } from '../../../services/settings/update-settings.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import { typedQuestion } from '../../dialog/typed-question.ts';
import type { Feature, Tap } from '../../feature.ts';
import { readAmount } from '../../ui/read-amount.ts';
import { AUTO_BUY_QUESTION } from './flow.ts';
import { AMOUNTS, AUTO_BUY, autoBuyView, DAYS, sureAutoBuyView } from './view.ts';

/** What a pasted token is bought for at once: a setting, off until it was read twice. */
export function autoBuyFeature(deps: FeatureDeps): Feature {
  const open = async ({ turn }: BotContext): Promise<void> => {
    const { autoBuy: setting, paper } = turn.user.settings;
    await turn.screen.show(autoBuyView(turn.words, { setting, isPaper: paper?.on === true }));
  };
  const save = async (ctx: BotContext, change: Partial<AutoBuy>): Promise<void> => {
    const { turn } = ctx;
    const autoBuy = { ...turn.user.settings.autoBuy, ...change };
    turn.change({ settings: await updateSettings(deps, { userId: turn.user.id, change: { autoBuy } }) });
  };
  const choose = (change: Partial<AutoBuy>): Tap => ({
    toasts: true,
    run: async (ctx) => {
      await save(ctx, change);
      await ctx.turn.toast(ctx.turn.words.text('toast.saved'));
      await open(ctx);
    },
  });
  const each = <T>(name: string, values: readonly T[], change: (value: T) => Partial<AutoBuy>) =>
    Object.fromEntries(
      values.map((value, index): [string, Tap] => [`${name}${index}`, choose(change(value))]),
    );
  const lamportsOf = (text: string): bigint => {
    const read = readAmount(text, SOL_DECIMALS);
    if (read.kind !== 'exact' || read.units <= 0n)
      throw new AppError('ORDER_REFUSED', { kind: 'amount-invalid' });
    return read.units;
  };
  const question = typedQuestion(
    AUTO_BUY_QUESTION,
    async (_ctx, text) => lamportsOf(text),
    async (ctx, text) => {
      await save(ctx, { lamports: lamportsOf(text) });
      await open(ctx);
    },
  );
  return {
    name: AUTO_BUY,
    commands: [],
    taps: {
      open: { run: open },
      sure: {
        run: ({ turn }) => turn.screen.show(sureAutoBuyView(turn.words, turn.user.settings.autoBuy)),
      },
      on: choose({ on: true }),
      off: choose({ on: false }),
      ...each('amount', AMOUNTS, (lamports) => ({ lamports })),
      ...each('day', DAYS, (dayLamports) => ({ dayLamports })),
      ...each('impact', AUTO_BUY_IMPACTS_BPS, (maxImpactBps) => ({ maxImpactBps })),
      type: { run: (ctx) => enterForm(ctx, question, {}) },
    },
    forms: [question],
  };
}

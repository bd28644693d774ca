import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, Tap } from '../../../platform/telegram/feature.ts';
import { pinForSettings } from '../../../platform/telegram/secret/settings-pin.ts';
import { readSol } from '../../../platform/telegram/ui/read-amount.ts';
import { AUTO_BUY_IMPACTS_BPS, type AutoBuy } from '../rules.ts';
import { AUTO_BUY_QUESTION } from './flow.ts';
import { AMOUNTS, AUTO_BUY, autoBuyView, DAYS, sureAutoBuyView } from './view.ts';

/** The setting that buys a pasted token at once, off until it was read twice. */
export function autoBuyFeature(deps: FeatureDeps): Feature {
  const open = async ({ turn }: BotContext): Promise<void> => {
    const { autoBuy: setting, paper } = turn.user.settings;
    await turn.screen.show(autoBuyView(turn.words, { setting, isPaper: paper?.on === true }));
  };
  /** Saves and goes on with `done`; where the PIN is needed first, asks for it and shows the screen after. */
  const save = async (
    ctx: BotContext,
    change: Partial<AutoBuy>,
    done: () => Promise<unknown>,
  ): Promise<void> => {
    const { turn } = ctx;
    const autoBuy = { ...turn.user.settings.autoBuy, ...change };
    await pinForSettings(deps, ctx, { change: { autoBuy }, after: AUTO_BUY }, async () => {
      const settings = await deps.guard.changeSettings({ userId: turn.user.id, change: { autoBuy } });
      turn.change({ settings });
      await done();
    });
  };
  const choose = (change: Partial<AutoBuy>): Tap => ({
    act: ['settings', 'auto-buy-on'],
    toasts: true,
    run: async (ctx) => {
      await save(ctx, change, async () => {
        await ctx.turn.toast(ctx.turn.words.text('toast.saved'));
        await open(ctx);
      });
    },
  });
  const each = <T>(name: string, values: readonly T[], change: (value: T) => Partial<AutoBuy>) =>
    Object.fromEntries(
      values.map((value, index): [string, Tap] => [`${name}${index}`, choose(change(value))]),
    );
  const question = typedQuestion(
    AUTO_BUY_QUESTION,
    async (_ctx, text) => lamportsOf(text),
    async (ctx, text) => {
      await save(ctx, { lamports: lamportsOf(text) }, () => open(ctx));
    },
  );
  return {
    name: AUTO_BUY,
    commands: [],
    taps: {
      open: { act: 'reads', run: open },
      sure: {
        act: 'auto-buy-on',
        run: ({ turn }) => turn.screen.show(sureAutoBuyView(turn.words, turn.user.settings.autoBuy)),
      },
      on: choose({ on: true }),
      off: choose({ on: false }),
      ...each('amount', AMOUNTS, (lamports) => ({ lamports })),
      ...each('day', DAYS, (dayLamports) => ({ dayLamports })),
      ...each('impact', AUTO_BUY_IMPACTS_BPS, (maxImpactBps) => ({ maxImpactBps })),
      type: { act: 'auto-buy-on', run: (ctx) => enterForm(ctx, question, {}) },
    },
    forms: [question],
  };
}

/** Lamports of a typed amount of SOL. Throws ORDER_REFUSED for anything else. */
function lamportsOf(text: string): bigint {
  const read = readSol(text);
  if (read.kind !== 'exact' || read.units <= 0n)
    throw new AppError('ORDER_REFUSED', { kind: 'amount-invalid' });
  return read.units;
}

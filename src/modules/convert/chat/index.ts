import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { type ConvertPeriod, convertShare } from '../rules.ts';
import { pointsForm } from './flow.ts';
import { CONVERT, confirmConvertView, convertView, enteredView } from './view.ts';

/** A confirm button lives this long; the period is looked at again all the same. */
const CONFIRM_TTL_MS = 15 * 60_000;

/** Points for a share of a fixed budget of SOL. Behind a switch; while it is off no points are taken. */
export function convertFeature(deps: FeatureDeps): Feature {
  const { db, clock, convert, options } = deps;

  async function open({ turn }: BotContext): Promise<void> {
    await turn.screen.show(convertView(turn.words, await convert.overview(turn.user.id), options.convert));
  }

  async function watch(ctx: BotContext): Promise<void> {
    await db.convert.watch(ctx.turn.user.id, clock.now());
    await ctx.turn.toast(ctx.turn.words.text('toast.watching'));
    await open(ctx);
  }

  const form = pointsForm(
    {
      available: ({ turn }) => db.ledger.balance({ kind: 'points', owner: turn.user.id }),
      mayGive: async ({ turn }) => (await openPeriod(deps, turn.user.id)).points,
    },
    ask,
  );

  async function ask({ turn }: BotContext, points: bigint): Promise<void> {
    const { period, total, own } = await openPeriod(deps, turn.user.id);
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: CONVERT,
      // The key is minted before the button is: a double tap and a redelivered one are the same entry.
      payload: { period: `${period.number}`, points: points.toString(), idemKey: deps.ids.token() },
      ttlMs: CONFIRM_TTL_MS,
    });
    const share =
      convertShare(period.budgetLamports, own + points, total + points) -
      convertShare(period.budgetLamports, own, total + points);
    await turn.screen.show(confirmConvertView(turn.words, { points, period, share, stateId }));
  }

  return {
    name: CONVERT,
    commands: [],
    taps: {
      open: { act: 'reads', run: open },
      watch: { act: 'display', toasts: true, run: watch },
      give: {
        act: 'points',
        run: async (ctx) => {
          await openPeriod(deps, ctx.turn.user.id);
          await enterForm(ctx, form, {});
        },
      },
      confirm: {
        act: 'points',
        run: (ctx, state) => confirm(deps, ctx, state),
        stale: ({ turn }) => turn.toast(turn.words.text('toast.entered_before')),
        toasts: true,
      },
    },
    forms: [form],
  };
}

/** The period that takes points now. Throws CONVERT_CLOSED. */
async function openPeriod({ convert, options }: FeatureDeps, userId: string) {
  const facts = await convert.overview(userId);
  if (!options.convert || facts.period === null || facts.phase !== 'open') {
    throw new AppError('CONVERT_CLOSED', {});
  }
  return { ...facts, period: facts.period };
}

async function confirm(
  { db, convert, options }: FeatureDeps,
  { turn }: BotContext,
  state: TapState | null,
): Promise<void> {
  if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
  if (!options.convert) throw new AppError('CONVERT_CLOSED', {});
  const { entry } = await convert.enter({
    userId: turn.user.id,
    period: Number(textField(state, 'period')),
    points: BigInt(textField(state, 'points')),
    idemKey: textField(state, 'idemKey'),
    buttonId: state.buttonId,
  });
  const period: ConvertPeriod | null = await db.convert.find(entry.period);
  if (period === null) throw new AppError('CONVERT_CLOSED', {});
  await turn.screen.show(enteredView(turn.words, entry.points, period));
}

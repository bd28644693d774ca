import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { optionalField, textList } from '../../../platform/telegram/ui/payload.ts';
import { ALERTS } from './draft.ts';
import { alertListView } from './view.ts';

/** A person's open alerts. */
export async function showAlerts(deps: FeatureDeps, { turn }: BotContext): Promise<void> {
  const { user, words, screen } = turn;
  const open = await deps.db.alerts.listOpen(user.id);
  const alerts = await Promise.all(
    open.map(async (alert) => ({ alert, token: await deps.chain.token(alert.mint).catch(() => null) })),
  );
  const payload = { ids: alerts.map(({ alert }) => alert.id) };
  const stateId = await deps.states.issue({ userId: user.id, feature: ALERTS, payload });
  await screen.show(alertListView(words, { alerts, stateId }));
}

export async function removeListed(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  const alertId = textList(tap, 'ids')[tap?.index ?? -1];
  if (alertId === undefined) throw new AppError('BUTTON_STALE', {});
  await deps.alerts.remove({ userId: ctx.turn.user.id, alertId });
  await ctx.turn.toast(ctx.turn.words.text('toast.alert_removed'));
  await showAlerts(deps, ctx);
}

/** From its notice: waits for its price once more. */
export async function setAgain(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  await deps.alerts.rearm({ userId: ctx.turn.user.id, alertId: optionalField(tap, 'alertId') ?? '' });
  await ctx.turn.toast(ctx.turn.words.text('toast.alert_again'));
  await showAlerts(deps, ctx);
}

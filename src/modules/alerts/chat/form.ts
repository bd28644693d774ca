import { type Address, LAMPORTS_PER_SOL } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { TapState } from '../../../platform/telegram/feature.ts';
import { type Html, html } from '../../../platform/telegram/ui/html.ts';
import type { PriceUnit } from '../../orders/rules/order.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { rateIn } from '../../orders/rules/trigger.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { isPast } from '../rules/alert.ts';
import { ALERTS, type AlertDraft, decodeAlertDraft, encodeAlertDraft } from './draft.ts';
import { showAlerts } from './list.ts';
import { alertFormView } from './view.ts';

/** The form, below the reason why the typed text is refused. Typed texts go to it from here on. */
export async function showForm(
  deps: FeatureDeps,
  ctx: BotContext,
  draft: AlertDraft,
  why?: Html,
): Promise<void> {
  const { turn } = ctx;
  const { user, words, screen } = turn;
  const [{ token, price, microUsdPerSol }, count, stateId, back] = await Promise.all([
    priceIn(deps, draft.mint, draft.chosen?.unit ?? 'SOL'),
    deps.db.alerts.countOpen(user.id),
    deps.states.issue({ userId: user.id, feature: ALERTS, payload: encodeAlertDraft(draft) }),
    backTo(deps, user, draft.mint),
  ]);
  const form = alertFormView(words, { draft, token, now: price, microUsdPerSol, count, stateId, back });
  await screen.show(why === undefined ? form : { ...form, text: html`${why}\n\n${form.text}` });
  await deps.openForms.open(ctx, { feature: ALERTS, id: stateId });
}

/** At a price that was chosen or typed. Throws the errors of `resolve`. */
export async function setPrice(
  deps: FeatureDeps,
  ctx: BotContext,
  draft: AlertDraft,
  text: string,
): Promise<void> {
  const { unit, price, direction } = await deps.alerts.resolve({ mint: draft.mint, text });
  await showForm(deps, ctx, { ...draft, chosen: { request: text.trim(), unit, price, direction } });
}

export async function placeDraft(deps: FeatureDeps, ctx: BotContext, tap: TapState | null): Promise<void> {
  const { turn } = ctx;
  const { mint, placeKey, repeats, chosen } = decodeAlertDraft(tap);
  if (chosen === null) throw new AppError('BUTTON_STALE', {});
  // Judged on the price of now: the form may be minutes old.
  const { price: now } = await priceIn(deps, mint, chosen.unit);
  const armed = !isPast(chosen, now);
  await deps.alerts.place({ ...chosen, userId: turn.user.id, mint, repeats, armed, placeKey });
  await turn.toast(turn.words.text('toast.alert_placed'));
  await showAlerts(deps, ctx);
}

/** The card's price in a unit. Throws ORDER_REFUSED where it is not known. */
async function priceIn(
  deps: FeatureDeps,
  mint: Address,
  unit: PriceUnit,
): Promise<{ readonly token: Token; readonly price: Rate; readonly microUsdPerSol: bigint | null }> {
  const [{ token, sol }, micros] = await Promise.all([deps.alerts.priceNow(mint), deps.solPrice()]);
  const at = deps.clock.now();
  const solUsd = micros === null ? null : { micros, lamports: LAMPORTS_PER_SOL, at };
  const price = rateIn(unit, 'sell', sol, solUsd, at);
  if (price === null) throw new AppError('ORDER_REFUSED', { kind: 'no-market' });
  return { token, price, microUsdPerSol: micros };
}

/** The card that it was opened from: the real one, or the one of paper mode. Null before there is a wallet. */
async function backTo(
  deps: FeatureDeps,
  user: BotContext['turn']['user'],
  mint: Address,
): Promise<{ readonly feature: 'trade' | 'paper'; readonly stateId: string } | null> {
  const feature = user.settings.paper?.on === true ? 'paper' : 'trade';
  if (feature === 'trade' && user.activeWalletId === null) return null;
  const payload = { mint, walletId: user.activeWalletId ?? '' };
  return { feature, stateId: await deps.states.issue({ userId: user.id, feature, payload }) };
}

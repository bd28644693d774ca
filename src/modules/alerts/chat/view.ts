import type { Words } from '../../../compose/texts/words.ts';
import { shortAddress } from '../../../core/address/address.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay } from '../../../platform/telegram/ui/time.ts';
import { tokenPriceText } from '../../orders/chat/order-text.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Alert } from '../rules/alert.ts';
import { isPast } from '../rules/alert.ts';
import { ALERTS, type AlertDraft } from './draft.ts';

export const ALERT_STEPS = ['-20%', '-10%', '-5%', '+5%', '+10%', '+20%', '+50%', '2x'] as const;

/** The form of an alert. `now`: the price of the card, in the unit of the chosen price where there is one. */
export function alertFormView(
  words: Words,
  facts: {
    readonly draft: AlertDraft;
    readonly token: Token;
    readonly now: Rate;
    readonly stateId: string;
    /** The card that it was opened from. */
    readonly back: { readonly feature: 'trade' | 'paper'; readonly stateId: string } | null;
  },
): View {
  const { draft, token, now, stateId, back } = facts;
  const { chosen, repeats } = draft;
  const on = (label: string, action: string) => act(label, ALERTS, action, stateId);
  const text = (rate: Rate): string => tokenPriceText(rate, chosen?.unit ?? 'SOL', token.decimals);
  const isThere = chosen !== null && isPast(chosen, now);
  return {
    text: lines(
      bold(words.text('alert.form', { symbol: displaySymbol(token) })),
      words.html('alert.now', { price: text(now) }),
      chosen === null
        ? words.html('alert.choose')
        : words.html(`alert.wish_${chosen.direction}`, {
            price: text(chosen.price),
            request: chosen.request,
          }),
      chosen !== null && words.html(repeats ? 'alert.every' : 'alert.once'),
      isThere && words.html(`alert.there_${chosen.direction}`),
      chosen !== null && words.html('alert.no_money'),
    ),
    keyboard: keyboard(
      ...inRows(
        ALERT_STEPS.map((step, index) => on(ticked(step, chosen?.request === step), `step-${index}`)),
        4,
      ),
      [on(words.text('btn.alert_price'), 'price')],
      chosen !== null && [
        on(ticked(words.text('btn.alert_above'), chosen.direction === 'above'), 'above'),
        on(ticked(words.text('btn.alert_below'), chosen.direction === 'below'), 'below'),
      ],
      chosen !== null && [
        on(ticked(words.text('btn.alert_once'), !repeats), 'once'),
        on(ticked(words.text('btn.alert_every'), repeats), 'every'),
      ],
      chosen !== null && [on(words.text(isThere ? 'btn.alert_place_back' : 'btn.alert_place'), 'place')],
      [
        nav(words.text('btn.alerts'), ALERTS, 'open'),
        back !== null &&
          act(
            words.text('btn.back'),
            back.feature,
            back.feature === 'paper' ? 'token' : 'card',
            back.stateId,
          ),
      ],
    ),
  };
}

/** `token`: null where the chain does not tell it. It counts, so it is shown and can be removed. */
export type ListedAlert = { readonly alert: Alert; readonly token: Token | null };

/** A person's open alerts; `stateId` holds their ids in this order. */
export function alertListView(
  words: Words,
  { alerts, stateId }: { readonly alerts: readonly ListedAlert[]; readonly stateId: string },
): View {
  return {
    text: lines(
      bold(words.text('alerts.title')),
      alerts.length === 0 && words.html('alerts.none'),
      ...alerts.map(
        ({ alert, token }, index) =>
          html`${String(index + 1)}. ${alertLine(words, alert, token)} · ${words.html('alerts.until', { day: utcDay(alert.expiresAt) })}`,
      ),
      alerts.length > 0 && words.html('alerts.how'),
    ),
    keyboard: keyboard(
      ...inRows(
        alerts.map((_alert, index) =>
          act(words.text('btn.alert_remove', { number: index + 1 }), ALERTS, `remove-${index}`, stateId),
        ),
        3,
      ),
      [nav(words.text('btn.trade'), 'trade', 'open'), nav(words.text('btn.orders'), 'orders', 'open')],
      [nav(words.text('btn.refresh'), ALERTS, 'open'), nav(words.text('btn.home'), 'home', 'open')],
    ),
  };
}

/** `PUP rises to 0.00042 SOL (+10%), once`. */
export function alertLine(words: Words, alert: Alert, token: Token | null): Html {
  if (token === null) return html`${bold(shortAddress(alert.mint))} (${alert.request})`;
  const price = tokenPriceText(alert.price, alert.unit, token.decimals);
  return html`${words.html(`alerts.row_${alert.direction}`, { symbol: bold(displaySymbol(token)), price, request: alert.request })}, ${words.html(
    alert.armed ? (alert.repeats ? 'alerts.every' : 'alerts.once') : `alerts.back_${alert.direction}`,
  )}`;
}

import { shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { fitted } from '../../../core/text/fit.ts';
import { bold, type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { act, inRows, keyboard, nav, ticked } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcDay } from '../../../platform/telegram/ui/time.ts';
import { rateText, requestText } from '../../orders/chat/order-figures.ts';
import { tokenPriceText } from '../../orders/chat/order-text.ts';
import type { Rate } from '../../orders/rules/rate.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { type Alert, isPast } from '../rules/alert.ts';
import { ALERTS, type AlertDraft } from './draft.ts';

/** What the title's line holds beside a price, as a width. */
const TITLE_SYMBOL = 10;

export const ALERT_STEPS = ['-20%', '-10%', '+10%', '+25%', '2x'] as const;

/** The form of an alert. `now`: the price of the card, in the unit of the chosen price where there is one. */
export function alertFormView(
  words: Words,
  facts: {
    readonly draft: AlertDraft;
    readonly token: Token;
    readonly now: Rate;
    readonly microUsdPerSol: bigint | null;
    /** How many stand already. */
    readonly count: number;
    readonly stateId: string;
    /** The card that it was opened from. */
    readonly back: { readonly feature: 'trade' | 'paper'; readonly stateId: string } | null;
  },
): View {
  const { draft, token, now, stateId, back } = facts;
  const { chosen, repeats } = draft;
  const on = (label: string, action: string) => act(label, ALERTS, action, stateId);
  const text = (rate: Rate): string =>
    rateText(words, rate, chosen?.unit ?? 'SOL', token, facts.microUsdPerSol);
  const isThere = chosen !== null && isPast(chosen, now);
  return {
    text: lines(
      words.html('alert.form', {
        symbol: bold(fitted(displaySymbol(token), TITLE_SYMBOL)),
        price: text(now),
      }),
      chosen === null
        ? words.html('alert.choose')
        : words.html(`alert.wish_${chosen.direction}`, {
            price: bold(text(chosen.price)),
            request: wishText(words, chosen),
          }),
      isThere && words.html(`alert.there_${chosen.direction}`),
      words.html(repeats ? 'alert.every' : 'alert.once'),
    ),
    keyboard: keyboard(
      // Without a mark: five labels of a row are one line each, and the text says which is chosen.
      ALERT_STEPS.map((step, index) => on(requestText(words, step), `step-${index}`)),
      [
        on(ticked(words.text('btn.alert_once'), !repeats), 'once'),
        on(ticked(words.text('btn.alert_every'), repeats), 'every'),
      ],
      chosen !== null && [on(words.text(isThere ? 'btn.alert_place_back' : 'btn.alert_place'), 'place')],
      [
        nav(words.text('btn.alerts_mine', { count: facts.count }), ALERTS, 'open'),
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

/** ` (+10%)`; empty for a bar that was typed as a price. */
function wishText(words: Words, { request }: { readonly request: string }): string {
  const said = requestText(words, request);
  return said === '' ? '' : ` (${said})`;
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
  const price = tokenPriceText(words, alert.price, alert.unit, token.decimals);
  return html`${words.html(`alerts.row_${alert.direction}`, { symbol: bold(displaySymbol(token)), price, request: alert.request })}, ${words.html(
    alert.armed ? (alert.repeats ? 'alerts.every' : 'alerts.once') : `alerts.back_${alert.direction}`,
  )}`;
}

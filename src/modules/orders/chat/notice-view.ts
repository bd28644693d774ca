import type { Words } from '../../../compose/texts/words.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html, lines } from '../../../platform/telegram/ui/html.ts';
import { freshAct, freshNav, keyboard, type Row } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcText } from '../../../platform/telegram/ui/time.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Order, OrderFire } from '../rules/order.ts';
import type { OrderNotice } from '../rules/order-notice.ts';
import { asksAnew, doubtLines, orderLine, reasonText, statusText, unitsText } from './order-text.ts';

const DAY_MS = 86_400_000;

/** The message about an order, from its rows as they are now. `stateId` leads to its page, to its form and to its token's card. */
export function orderNoticeView(
  words: Words,
  told: {
    readonly notice: OrderNotice;
    readonly order: Order;
    readonly fire: OrderFire | null;
    readonly token: Token;
    readonly stateId: string;
  },
): View {
  const { order, token } = told;
  return {
    text: lines(orderLine(words, order, token), sentence(words, told), ...doubtLines(words, order)),
    keyboard: keyboard(...floorRows(words, told), ...keepRows(words, told), [
      freshAct(words.text('btn.order'), 'orders', 'page', told.stateId),
      freshNav(words.text('btn.orders'), 'orders', 'open'),
    ]),
  };
}

/** A stop below its floor sells nothing until its person decides: sell anyway, or let it sell lower. Doing nothing waits. */
function floorRows(words: Words, { notice, stateId }: Parameters<typeof orderNoticeView>[1]): readonly Row[] {
  if (notice.event !== 'held-back' || notice.code !== 'floor') return [];
  return [
    [
      freshAct(words.text('btn.order_sell_now'), 'trade', 'card', stateId),
      freshAct(words.text('btn.order_lower_floor'), 'orders', 'edit', stateId),
    ],
  ];
}

/** For an order that paused for want of the PIN, and still is: one tap asks for it and opens the order again. */
function keepRows(
  words: Words,
  { notice, order, stateId }: Parameters<typeof orderNoticeView>[1],
): readonly Row[] {
  if (notice.event !== 'paused' || !asksAnew(order)) return [];
  return [[freshAct(words.text('btn.order_keep'), 'orders', 'unpause', stateId)]];
}

/** It lasted for more than a day, and nothing said a day before that it ends: the service was away. */
function wasMeantToBeTold({ createdAt, expiresAt, progress }: Order): boolean {
  return expiresAt - createdAt > DAY_MS && progress.told['ending'] === undefined;
}

function sentence(words: Words, { notice, order, fire, token }: Parameters<typeof orderNoticeView>[1]): Html {
  const { event, code } = notice;
  switch (event) {
    case 'fired':
      return words.html(`order.told.fired_${order.side}`, {
        given: fire === null ? '…' : unitsText(words, order.side, 'given', fire.units, token),
        got: fire === null ? '…' : unitsText(words, order.side, 'got', fire.quoted, token),
      });
    case 'voided':
      return words.html('order.told.voided', {
        reason: reasonText(words, code ?? ''),
        cost: solText(words, fire?.end?.burntLamports ?? 0n),
        status: statusText(words, order),
      });
    case 'held-back':
      return words.html('order.told.held_back', { reason: reasonText(words, code ?? '') });
    case 'paused':
    case 'cancelled':
      return words.html('order.told.status', { status: statusText(words, order) });
    case 'ending':
      return words.html('order.told.ending', { at: utcText(order.expiresAt) });
    case 'blind':
      return words.html(order.type === 'DEV_SELLS' ? 'order.told.blind_dev' : 'order.told.blind');
    case 'dev-moved':
      return words.html('order.told.dev_moved', {
        units: unitsText(words, 'sell', 'given', BigInt(code ?? '0'), token),
      });
    case 'expired':
      return wasMeantToBeTold(order)
        ? html`${words.html('order.told.expired')}\n${words.html('order.told.unannounced')}`
        : words.html('order.told.expired');
    case 'missed':
      return words.html('order.told.missed', { missed: order.progress.schedule?.missed ?? 0 });
  }
}

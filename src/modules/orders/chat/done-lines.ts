import type { Words } from '../../../compose/texts/words.ts';
import { percentText } from '../../../platform/telegram/ui/amounts.ts';
import { type Html, html } from '../../../platform/telegram/ui/html.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Order, OrderFire } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';
import { directionOf } from '../rules/trigger.ts';
import { orderLine, tokenPriceText } from './order-text.ts';

export type FiredOrder = { readonly order: Order; readonly fire: OrderFire | null };

/**
 * The lines of a trade about its order: which one, and once the receipt is final the cost or proceeds of a token. For a stop also how far
 * that lies below its price.
 */
export function orderDoneLines(
  words: Words,
  { order, fire }: FiredOrder,
  token: Token,
): { readonly before: Html; readonly after: Html | null } {
  const end = fire?.end;
  const before = orderLine(words, order, token);
  if (end?.result !== 'settled' || end.given <= 0n || end.got <= 0n) return { before, after: null };
  const price = priceOf(order.side, { got: end.got, given: end.given });
  const said = words.html(`order.done.${order.side}`, {
    price: tokenPriceText(words, price, 'SOL', token.decimals),
  });
  const missed = missedBps(order, price);
  return {
    before,
    after:
      missed > 0
        ? html`${said} ${words.html('order.done.below', { percent: percentText(words, missed) })}`
        : said,
  };
}

/** By how much a stop's price was missed, in hundredths of a percent; 0 for an order that has its limit, and for a price in dollars. */
function missedBps({ side, type, unit, trigger }: Order, price: Rate): number {
  if (side === 'buy' || directionOf(type) !== 'FALL' || trigger === null || unit !== 'SOL') return 0;
  const wanted = priceOf(side, trigger);
  return 10_000 - Number((price.got * wanted.given * 10_000n) / (price.given * wanted.got));
}

import type { DecimalText } from '@tradepost/tape';

/** A price that was true at two moments. Null where one of them is not known. */
export type TwoPrices = { readonly now: DecimalText; readonly before: DecimalText | null } | null;

/**
 * How a price in dollars changed, in percent, rounded to two digits: the price in the quote token and the quote token's own in
 * dollars, at both times. `quote`: its prices in a dollar; `'dollar'` where it is one itself. Null where anything is not known.
 */
export function dollarChange(price: TwoPrices, quote: TwoPrices | 'dollar'): number | null {
  const own = ratio(price);
  const other = quote === 'dollar' ? 1 : ratio(quote);
  return own === null || other === null ? null : Math.round((own * other - 1) * 10_000) / 100;
}

function ratio(prices: TwoPrices): number | null {
  if (prices === null || prices.before === null || Number(prices.before) === 0) return null;
  return Number(prices.now) / Number(prices.before);
}

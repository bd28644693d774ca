import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { Order, PriceUnit } from '../rules/order.ts';
import { priceOf } from '../rules/placement.ts';
import type { Rate } from '../rules/rate.ts';

type Priced = Pick<Token, 'decimals' | 'supply'>;

/** Dollars × 10^12 per whole token, cut; null while a price is in SOL and the price of SOL is unknown. */
export function picoUsdOfRate(
  { got, given }: Rate,
  unit: PriceUnit,
  { decimals }: Pick<Token, 'decimals'>,
  microUsdPerSol: bigint | null,
): bigint | null {
  const one = 10n ** BigInt(decimals);
  // Millionths of a dollar of a smallest unit; lamports × millionths of a dollar per SOL are 10^-15 dollars.
  if (unit === 'USD') return (got * one * 1_000_000n) / given;
  return microUsdPerSol === null ? null : (got * one * microUsdPerSol) / (given * 1_000n);
}

/** `$0.00109`, or SOL while its price is not known. Three digits: for reading, and not for comparing. */
export function rateText(
  words: Words,
  rate: Rate,
  unit: PriceUnit,
  token: Pick<Token, 'decimals'>,
  microUsdPerSol: bigint | null,
): string {
  const figures = figuresOf(words.language);
  const pico = picoUsdOfRate(rate, unit, token, microUsdPerSol);
  if (pico !== null) return figures.price(pico);
  return figures.solPrice((rate.got * 10n ** BigInt(token.decimals + 18)) / rate.given);
}

/** The worth of all tokens at a price, in dollars: `$1.09M`; `n/a` without the price of SOL. */
export function capText(
  words: Words,
  rate: Rate,
  unit: PriceUnit,
  token: Priced,
  microUsdPerSol: bigint | null,
): string {
  const pico = picoUsdOfRate(rate, unit, token, microUsdPerSol);
  const cap = pico === null ? null : (pico * token.supply) / 10n ** BigInt(token.decimals) / 1_000_000n;
  return figuresOf(words.language).compact(cap);
}

/** The price at which an order fires. Empty for one without: a trail, a schedule. */
export function priceOfOrder(
  words: Words,
  { side, trigger, unit }: Pick<Order, 'side' | 'trigger' | 'unit'>,
  token: Priced,
  microUsdPerSol: bigint | null,
): string {
  return trigger === null ? '' : rateText(words, priceOf(side, trigger), unit, token, microUsdPerSol);
}

/** `−30%`, `2x`: the text of the price, where it was relative to a cost; else empty. */
export function saleRequest(words: Words, { terms }: Pick<Order, 'terms'>): string {
  const figures = figuresOf(words.language);
  if (terms.trailing !== null) return figures.percent(terms.trailing.bps);
  return requestText(words, terms.request);
}

/** As the screens write a percentage; a price that was named says itself, so nothing is said of it. */
export function requestText(words: Words, request: string): string {
  const percent = /^([+\-−]?)(\d{1,6})(?:[.,](\d{1,2}))?\s*%$/.exec(request.trim());
  if (percent !== null) {
    const [, sign, whole = '0', part = ''] = percent;
    const bps = Number(whole) * 100 + Number(part.padEnd(2, '0'));
    const mark = sign === '-' || sign === '−' ? '−' : '+';
    return `${mark}${figuresOf(words.language).percent(bps)}`;
  }
  return /^\d{1,6}([.,]\d{1,4})?\s*x$/i.test(request.trim()) ? request.trim().toLowerCase() : '';
}

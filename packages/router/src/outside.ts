import { at, idAt } from './array-access.ts';
import { isWithinHops } from './hops.ts';
import type { Search } from './search.ts';

/**
 * Tokens without a price next to those with one. Their cost and their proceeds at zero size are in the search's tables `cheapest` and
 * `dearest` until `forget`.
 */
export type Outside = {
  /** Tokens that have a price. */
  readonly known: readonly number[];
  /** Those that known tokens buy. */
  readonly bought: readonly number[];
  /** Those that sell for known tokens. */
  readonly sold: readonly number[];
};

export const NOTHING_OUTSIDE: Outside = { known: [], bought: [], sold: [] };

/** All of them. */
export function lookOutside(search: Search, known: readonly number[]): Outside {
  const { market, order, prices, cheapest, dearest } = search;
  const { before, after } = search.hops;
  const bought: number[] = [];
  const sold: number[] = [];
  for (const token of known) {
    const price = at(prices, token);
    const mostAfter = order.maxHops - 1 - idAt(before, token);
    const mostBefore = order.maxHops - 1 - idAt(after, token);
    const buys = token !== order.tokenOut && mostAfter > 0;
    const sells = token !== order.tokenIn && mostBefore > 0;
    if (!buys && !sells) continue;
    const out = market.through[token] as Int32Array;
    for (let index = 0; index < out.length; index++) {
      const edge = idAt(out, index);
      const end = idAt(market.to, edge);
      if (at(prices, end) > 0) continue;
      if (buys && idAt(after, end) <= mostAfter) {
        const value = price / at(market.spot, edge);
        const least = at(cheapest, end);
        if (least === 0) bought.push(end);
        if (least === 0 || value < least) cheapest[end] = value;
      }
      if (sells && idAt(before, end) <= mostBefore) {
        const value = price * at(market.spot, edge ^ 1);
        const most = at(dearest, end);
        if (most === 0 && value > 0) sold.push(end);
        if (value > most) dearest[end] = value;
      }
    }
  }
  return { known, bought, sold };
}

/** Only those of `tokens`, from their own edges: the hubs' long lists are not walked. */
export function lookAt(search: Search, known: readonly number[], tokens: readonly number[]): Outside {
  const { market, order, prices, cheapest, dearest } = search;
  const unknown = tokens.filter((token) => at(prices, token) === 0);
  for (const token of unknown) {
    for (const edge of market.through[token] as Int32Array) {
      const end = idAt(market.to, edge);
      if (end === order.tokenIn || !isWithinHops(search, token, end)) continue;
      dearest[token] = Math.max(at(dearest, token), at(prices, end) * at(market.spot, edge));
    }
    for (const edge of market.throughInto[token] as Int32Array) {
      const end = idAt(market.from, edge);
      const price = at(prices, end);
      if (price === 0 || end === order.tokenOut || !isWithinHops(search, end, token)) continue;
      const value = price / at(market.spot, edge);
      if (at(cheapest, token) === 0 || value < at(cheapest, token)) cheapest[token] = value;
    }
  }
  return { known, bought: unknown, sold: unknown };
}

/** Leaves the tables zero, as every look expects them. */
export function forget({ cheapest, dearest }: Search, { bought, sold }: Outside): void {
  for (const token of bought) cheapest[token] = 0;
  for (const token of sold) dearest[token] = 0;
}

import { at, idAt } from './array-access.ts';
import type { Search } from './search.ts';

/**
 * Tokens without a price next to those with one. What they cost and bring at zero size stands in the search's tables `cheapest` and
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
  const bought: number[] = [];
  const sold: number[] = [];
  for (const token of known) {
    const price = at(prices, token);
    const buys = token !== order.tokenOut;
    const sells = token !== order.tokenIn;
    const out = market.through[token] as Int32Array;
    for (let index = 0; index < out.length; index++) {
      const edge = idAt(out, index);
      const end = idAt(market.to, edge);
      if (at(prices, end) > 0) continue;
      if (buys) {
        const value = price / at(market.spot, edge);
        const before = at(cheapest, end);
        if (before === 0) bought.push(end);
        if (before === 0 || value < before) cheapest[end] = value;
      }
      if (sells) {
        const value = price * at(market.spot, edge ^ 1);
        const before = at(dearest, end);
        if (before === 0 && value > 0) sold.push(end);
        if (value > before) dearest[end] = value;
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
      if (end === order.tokenIn) continue;
      dearest[token] = Math.max(at(dearest, token), at(prices, end) * at(market.spot, edge));
    }
    for (const edge of market.throughInto[token] as Int32Array) {
      const end = idAt(market.from, edge);
      const price = at(prices, end);
      if (price === 0 || end === order.tokenOut) continue;
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

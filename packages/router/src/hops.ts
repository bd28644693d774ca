import { idAt } from './array-access.ts';
import type { DualFlow } from './dual-problem.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Reach } from './plan.ts';

/**
 * The fewest pools that a route has before each token and behind it; 2 also means more. Where an end of the order trades with few tokens
 * the hop cap rules out most of the market. Prices without it would be made by pools that no route can use.
 */
export type Hops = { readonly before: Int32Array; readonly after: Int32Array };

const FAR = 2;

/** Fills both tables for any route. They must be as long as the token list. */
export function fillHops({ before, after }: Hops, { tokenIn, tokenOut }: Order, reach: Reach): void {
  before.fill(FAR);
  after.fill(FAR);
  for (const token of reach.entries) before[token] = 1;
  for (const token of reach.exits) after[token] = 1;
  before[tokenIn] = 0;
  after[tokenOut] = 0;
}

/** False when no route within the hop cap passes from `from` to `to`, with any other pools. */
export function isWithinHops(
  { hops, order }: { readonly hops: Hops; readonly order: Order },
  from: number,
  to: number,
): boolean {
  return idAt(hops.before, from) + 1 + idAt(hops.after, to) <= order.maxHops;
}

/**
 * The result of `look` while the middle tokens of a plan are as far from the ends as the plan has them. The plan will be extended, so a
 * token's cost there is its cost that many pools away.
 */
export function atHopsOf<T>(
  { hops, order, market }: { readonly hops: Hops; readonly order: Order; readonly market: Market },
  flows: readonly DualFlow[],
  look: () => T,
): T {
  const { before, after } = hops;
  const intermediates = new Set<number>();
  for (const { edge } of flows) intermediates.add(idAt(market.from, edge)).add(idAt(market.to, edge));
  intermediates.delete(order.tokenIn);
  intermediates.delete(order.tokenOut);
  const kept = [...intermediates].map((token) => [token, idAt(before, token), idAt(after, token)] as const);
  for (const token of intermediates) {
    before[token] = FAR;
    after[token] = FAR;
  }
  for (const { edge } of flows) {
    const [from, to] = [idAt(market.from, edge), idAt(market.to, edge)];
    if (from === order.tokenIn && intermediates.has(to)) before[to] = 1;
    if (to === order.tokenOut && intermediates.has(from)) after[from] = 1;
  }
  const found = look();
  for (const [token, first, last] of kept) {
    before[token] = first;
    after[token] = last;
  }
  return found;
}

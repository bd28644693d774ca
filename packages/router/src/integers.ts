import { capacityIn } from './curve.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import type { Plan, PlanLeg } from './plan.ts';

/** One swap of a finished route. Legs are listed in an order in which each spends only the output of earlier ones. */
export type RouteLeg = {
  readonly pool: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  /** The pool's own exact quote for `amountIn`. */
  readonly amountOut: bigint;
};

/** A finished route: every amount is exact, `out` is the amount that the legs leave in the output token. */
export type Route = { readonly legs: readonly RouteLeg[]; readonly out: bigint };

const SHARE_UNIT = 10n ** 15n;

/**
 * Rounds a plan to whole units and settles it with the pools' exact quotes: a leg gets floor(balance × share), the last
 * leg out of each token all that remains. A leg that would spend or return nothing is left out and its token divided
 * among the others. No leg is fed more than its pool can use. Null when nothing comes out.
 */
export function settle(market: Market, order: Order, plan: Plan, amountIn: bigint): Route | null {
  let legs = plan.legs;
  for (;;) {
    const settled = settleOnce(market, order, legs, amountIn);
    if (settled.empty.size === 0) return settled.route.out > 0n ? settled.route : null;
    legs = usable(
      market,
      order,
      legs.filter((_, index) => !settled.empty.has(index)),
    );
    if (legs.length === 0) return null;
  }
}

function settleOnce(
  market: Market,
  order: Order,
  legs: readonly PlanLeg[],
  amountIn: bigint,
): { readonly route: Route; readonly empty: ReadonlySet<number> } {
  const start = new Map<number, bigint>([[order.tokenIn, amountIn]]);
  const left = new Map(start);
  const done: RouteLeg[] = [];
  const empty = new Set<number>();
  legs.forEach((leg, index) => {
    const from = market.from[leg.edge] ?? 0;
    const to = market.to[leg.edge] ?? 0;
    const pool = market.pools[leg.edge >> 1];
    const curve = market.exact[leg.edge];
    if (pool === undefined || curve === undefined) return;
    // All legs into a token precede the first leg out of it, so this is the token's whole balance.
    const balance = start.get(from) ?? 0n;
    const remaining = left.get(from) ?? 0n;
    const isLast = !legs.slice(index + 1).some(({ edge }) => market.from[edge] === from);
    const share = (balance * BigInt(Math.floor(leg.share * 1e15))) / SHARE_UNIT;
    const wanted = isLast || share > remaining ? remaining : share;
    const capacity = capacityIn(curve);
    const limit = Number.isFinite(capacity) ? BigInt(Math.floor(capacity)) : wanted;
    const spent = wanted > limit ? limit : wanted;
    const tokenIn = market.tokenIds[from] ?? '';
    const out = spent > 0n ? pool.quote(tokenIn, spent) : 0n;
    if (out <= 0n) {
      empty.add(index);
      return;
    }
    left.set(from, remaining - spent);
    left.set(to, (left.get(to) ?? 0n) + out);
    start.set(to, (start.get(to) ?? 0n) + out);
    done.push({
      pool: pool.id,
      tokenIn,
      tokenOut: market.tokenIds[to] ?? '',
      amountIn: spent,
      amountOut: out,
    });
  });
  return { route: { legs: done, out: start.get(order.tokenOut) ?? 0n }, empty };
}

/** Legs that still lie on a way from input to output, their shares scaled to add up to one again at each token. */
function usable(market: Market, order: Order, legs: readonly PlanLeg[]): readonly PlanLeg[] {
  let kept = legs;
  for (;;) {
    const fed = new Set([order.tokenIn, ...kept.map(({ edge }) => market.to[edge])]);
    const drained = new Set([order.tokenOut, ...kept.map(({ edge }) => market.from[edge])]);
    const next = kept.filter(({ edge }) => fed.has(market.from[edge]) && drained.has(market.to[edge]));
    if (next.length === kept.length) break;
    kept = next;
  }
  return kept.map((leg) => {
    const from = market.from[leg.edge];
    const total = kept
      .filter(({ edge }) => market.from[edge] === from)
      .reduce((sum, { share }) => sum + share, 0);
    return { ...leg, share: leg.share / total };
  });
}

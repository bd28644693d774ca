import type { Route } from '../src/integers.ts';
import { createSimulator } from './simulators.ts';
import type { Snapshot } from './snapshot.ts';

type Request = {
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly maxPools: number;
};

/**
 * True when the route keeps every rule and its legs, simulated anew, bring exactly the output it claims. The rules: known pools, each once,
 * no more than `maxPools`, and each leg spends only amounts that the order or earlier legs brought.
 */
export function isExact(snapshot: Snapshot, request: Request, route: Route): boolean {
  const held = new Map([[request.tokenIn, request.amountIn]]);
  const used = new Set<string>();
  for (const { pool: id, tokenIn, tokenOut, amountIn } of route.legs) {
    const pool = snapshot.pools.find((one) => one.id === id);
    const known = held.get(tokenIn) ?? 0n;
    if (pool === undefined || used.has(id) || amountIn <= 0n || amountIn > known) return false;
    if (!pool.tokens.includes(tokenIn) || !pool.tokens.includes(tokenOut) || tokenIn === tokenOut)
      return false;
    used.add(id);
    held.set(tokenIn, known - amountIn);
    const out = createSimulator(pool)(pool.tokens[0] === tokenIn ? 0 : 1, amountIn);
    held.set(tokenOut, (held.get(tokenOut) ?? 0n) + out);
  }
  return used.size <= request.maxPools && (held.get(request.tokenOut) ?? 0n) === route.out;
}

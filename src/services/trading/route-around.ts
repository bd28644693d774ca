import type { Address } from '../../core/address/address.ts';
import { type AppError, hasCode } from '../../core/errors/app-error.ts';
import type { Pool } from '../../core/ports/venue.ts';
import type { RouteLeg } from '../../core/swap/route.ts';
import { failedInstruction } from '../transactions/check-simulation.ts';
import type { TradePlan } from './assemble-trade.ts';
import type { Without } from './choose-way.ts';
import { overtaken } from './co-sign.ts';
import type { PoolQuarantine } from './pool-quarantine.ts';

export type FailedPool = { readonly pool: Pool; readonly why: AppError };

/** Pools that one request may be routed around before it gives up: each costs a round of reads and a simulation. */
export const MOST_FAILED = 3;

/**
 * The pool whose own instruction failed in the simulation, by the instruction that the error names. Null where another one
 * failed or the trader's means do, for an aggregator's swap, and for a call that is several pools' at once.
 */
export function failedPool(
  { poolAt, priced }: Pick<TradePlan, 'poolAt' | 'priced'>,
  error: unknown,
): FailedPool | null {
  if (priced.route.aggregator !== undefined) return null;
  if (!hasCode(error, 'SIMULATION_FAILED') && !hasCode(error, 'PRICE_MOVED')) return null;
  const instruction = failedInstruction(error);
  const pool = instruction === null ? null : poolAt(instruction);
  return pool === null ? null : { pool, why: error };
}

/**
 * Tries until a round brings a result: once more on states that are read anew when the market moved meanwhile, and without a
 * pool that failed by itself. A pool is held against only once the same trade has passed another way: a trader whose own
 * accounts make every pool fail harms nobody else. Throws the first failure that a pool is blamed for, else the round's own.
 */
export async function routedAround<T>(
  poolQuarantine: PoolQuarantine,
  build: (round: {
    readonly without: Without;
    readonly reread: boolean;
    readonly blame: (failed: FailedPool) => void;
  }) => Promise<{ readonly result: T; readonly legs: readonly Pick<RouteLeg, 'pool'>[] }>,
): Promise<T> {
  const failed = new Map<Address, FailedPool>();
  let reread = false;
  for (;;) {
    let blamed: FailedPool | null = null;
    try {
      const { result, legs } = await build({
        without: new Set(failed.keys()),
        reread,
        blame: (one) => {
          blamed = one;
        },
      });
      // An aggregator's swap may have passed beside a pool of ours that failed in this very round.
      const beside = blamed as FailedPool | null;
      if (beside !== null && hasCode(beside.why, 'SIMULATION_FAILED')) failed.set(beside.pool.id, beside);
      for (const { pool, why } of failed.values()) poolQuarantine.failed(pool, why);
      for (const { pool } of legs) poolQuarantine.passed(pool.id);
      return result;
    } catch (error) {
      const moved = overtaken(error);
      if (moved !== null && !reread) {
        reread = true;
        continue;
      }
      const next = blamed as FailedPool | null;
      if (next === null || failed.has(next.pool.id) || failed.size === MOST_FAILED) {
        const [first] = failed.values();
        throw first?.why ?? moved ?? error;
      }
      failed.set(next.pool.id, next);
    }
  }
}

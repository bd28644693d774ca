import type { HostileOptions } from './hostile/hands.ts';
import type { SimOptions, SimResult } from './sim-options.ts';
import { simulate } from './simulate.ts';

/** Both modes take turns, so that any range of seeds covers both. */
export function modeOfSeed(seed: number): 'safety' | 'liveness' {
  return seed % 2 === 0 ? 'liveness' : 'safety';
}

/** The wishes beside hostile hands: kinds and orders whose messages the real signer reads. */
export function hostileCase(
  hostile: HostileOptions | undefined,
): Pick<SimOptions, 'hostile' | 'kinds' | 'orders'> {
  if (hostile === undefined) return {};
  return {
    hostile,
    kinds: ['withdraw-sol', 'withdraw-token', 'buy', 'sell', 'payout', 'prepare-token', 'create-token'],
    orders: ['order-limit', 'order-oco', 'order-dca'],
  };
}

export type SeedsReport = {
  readonly seeds: number;
  readonly intents: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly landed: number;
  readonly slowestSettleMs: number;
  readonly failures: readonly { readonly seed: number; readonly violations: readonly string[] }[];
};

/**
 * Runs `count` seeds one after another, fewer when `enough` of them failed: then there is something to read. A crash of the
 * simulator itself is a failure of its seed.
 */
export async function runSeeds(options: {
  readonly from: number;
  readonly count: number;
  readonly enough?: number;
  /** People of each run who copy followed wallets; none when left out. */
  readonly copies?: number;
  /** People of each run who wait for a signal; none when left out. */
  readonly signals?: number;
  /** Hands that are against each run, and the real signer; none when left out. */
  readonly hostile?: HostileOptions;
  readonly onFailure?: (seed: number, violations: readonly string[]) => void;
}): Promise<SeedsReport> {
  const byStatus: Record<string, number> = {};
  const failures: { seed: number; violations: readonly string[] }[] = [];
  const total = { intents: 0, kills: 0, landed: 0, slowestSettleMs: 0 };
  for (let seed = options.from; seed < options.from + options.count; seed += 1) {
    const result: Pick<SimResult, 'violations' | 'intents' | 'kills' | 'landed' | 'settledAfterMs'> =
      await simulate({
        seed,
        mode: modeOfSeed(seed),
        copies: options.copies ?? 0,
        signals: options.signals ?? 0,
        ...hostileCase(options.hostile),
      }).catch((error: unknown) => ({
        violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
        intents: [],
        kills: 0,
        landed: 0,
        settledAfterMs: null,
      }));
    for (const { kind, status } of result.intents) {
      const key = `${kind} ${status}`;
      byStatus[key] = (byStatus[key] ?? 0) + 1;
    }
    total.intents += result.intents.length;
    total.kills += result.kills;
    total.landed += result.landed;
    total.slowestSettleMs = Math.max(total.slowestSettleMs, result.settledAfterMs ?? 0);
    if (result.violations.length === 0) continue;
    failures.push({ seed, violations: result.violations });
    options.onFailure?.(seed, result.violations);
    if (failures.length === options.enough) break;
  }
  return { seeds: options.count, ...total, byStatus, failures };
}

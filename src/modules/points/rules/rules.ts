import type { Bps } from '../../../core/amounts/bps.ts';
import { bps } from '../../../core/amounts/bps.ts';
import type { IntentKind } from '../../../engine/intents/kinds/params.ts';
import { rulesOf } from '../../../engine/intents/kinds/rules.ts';

/** The numbers of the points system. They are fixed for the events under them: a change is a new version with a later date. */
export type PointRules = {
  readonly version: number;
  /** In force from this moment, epoch milliseconds, until the next version's. */
  readonly from: number;
  readonly mining: {
    readonly pointsPerTap: number;
    /** A tap takes as much energy as it gives points. */
    readonly energyMax: number;
    readonly refillPerHour: number;
    /** Points per UTC day and Telegram account. */
    readonly dailyCap: number;
    /** Taps closer together than this give nothing: no thumb is that fast. */
    readonly leastTapMs: number;
  };
  /** One point per so many lamports of a finalized fee, rounded down. */
  readonly lamportsPerPoint: bigint;
  /** Points for a finalized intent of a kind, independent of its fee. */
  readonly perIntent: Readonly<Partial<Record<IntentKind, number>>>;
  /** Part of an unspent balance that stays when a season closes, rounded up for the person. */
  readonly seasonCarryBps: Bps;
};

export const POINT_RULES: readonly [PointRules, ...PointRules[]] = [
  {
    version: 1,
    from: Date.UTC(2026, 10, 1),
    mining: { pointsPerTap: 10, energyMax: 100, refillPerHour: 25, dailyCap: 500, leastTapMs: 150 },
    lamportsPerPoint: 100_000n,
    perIntent: { 'create-token': 200, launch: 300 },
    seasonCarryBps: bps(5_000),
  },
];

/** The version in force at `now`; the first one before all of them, so that a clock set back finds rules too. */
export function rulesAt(
  now: number,
  versions: readonly [PointRules, ...PointRules[]] = POINT_RULES,
): PointRules {
  return versions.findLast(({ from }) => from <= now) ?? versions[0];
}

/** Points that a finalized intent earns: a trade by its fee, a token by its kind. */
export function pointsForIntent(
  rules: PointRules,
  kind: IntentKind,
  feeLamports: bigint,
): { readonly byFee: bigint; readonly byKind: bigint } {
  return {
    // Trades' alone: a withdrawal that names the treasury as its recipient would look like one enormous fee.
    byFee: rulesOf(kind).fee === 'trade' && feeLamports > 0n ? feeLamports / rules.lamportsPerPoint : 0n,
    byKind: BigInt(rules.perIntent[kind] ?? 0),
  };
}

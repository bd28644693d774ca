import { hasAged } from '../../../core/time/age.ts';
/** The limits for refusals and failed landings of one order. */
export const BUDGET = {
  maxBackOffSlots: 30,
  windowMs: 3_600_000,
  landedFailures: 3,
  burntLamports: 10_000_000n,
} as const;

/** Slots to wait after `refusals` refusals in a row before anything was signed: 1, 2, 4 … 30. They cost nothing. */
export function backOffSlots(refusals: number): number {
  if (refusals <= 0) return 0;
  return refusals > 5 ? BUDGET.maxBackOffSlots : Math.min(BUDGET.maxBackOffSlots, 2 ** (refusals - 1));
}

/** A fire whose transaction landed and failed. */
export type LandedFailure = { readonly at: number; readonly feeLamports: bigint };

/** Whether an order pauses as `budget`: three landed failures within an hour, or 0.01 SOL burnt in all. */
export function isBudgetSpent(failures: readonly LandedFailure[], now: number): boolean {
  const recent = failures.filter(({ at }) => at > now - BUDGET.windowMs);
  const burnt = failures.reduce((sum, { feeLamports }) => sum + feeLamports, 0n);
  return recent.length >= BUDGET.landedFailures || burnt >= BUDGET.burntLamports;
}

/** One notice per reason and hour. `lastAt` = when this reason was sent last; null = never. */
export function mayTell(lastAt: number | null, now: number): boolean {
  return lastAt === null || hasAged(lastAt, BUDGET.windowMs, now);
}

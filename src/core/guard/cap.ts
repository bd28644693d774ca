import type { Guard, GuardRules } from './guard.ts';

export const CAP_WINDOW_MS = 86_400_000;
/** Token withdrawals whose worth in SOL is not known: so many within 24 hours, whatever the amounts. */
export const UNPRICED_PER_DAY = 5;

/** What left, or is about to leave, within a window. */
export type CapUse = { readonly lamports: bigint; readonly unpriced: number };

/** The cap in force, in lamports per 24 hours. */
export function capNow(guard: Guard, now: number, rules: GuardRules): bigint {
  const raised = guard.nextCapLamports !== null && guard.nextCapAt !== null && guard.nextCapAt <= now;
  return (raised ? guard.nextCapLamports : guard.capLamports) ?? rules.dailyCapLamports;
}

/** Lowering counts at once and withdraws a raise that waits; raising waits its time and until then nothing changes. */
export function withCap(guard: Guard, lamports: bigint, now: number, rules: GuardRules): Guard {
  const current = capNow(guard, now, rules);
  if (lamports <= current) {
    return { ...guard, capLamports: lamports, nextCapLamports: null, nextCapAt: null };
  }
  return {
    ...guard,
    capLamports: current,
    nextCapLamports: lamports,
    nextCapAt: now + rules.delayMs,
  };
}

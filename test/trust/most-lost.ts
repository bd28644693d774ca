import type { GuardRules } from '../../src/modules/guard/rules/guard.ts';

/** What a thief of the Telegram account holds beside it. */
export const HOLDS = ['no-pin', 'pin-unknown', 'unlocked', 'pin', 'frozen'] as const;
export type Hold = (typeof HOLDS)[number];

/** What the owner does meanwhile. `asleep`: nothing. `stopping`: taps Stop under each notice. `typing`: types the PIN each day. */
export type Owner = 'asleep' | 'stopping' | 'typing';

/** Lamports, or `all` of it from a moment on, in milliseconds after the theft. */
export type Loss = { readonly lamports: bigint } | { readonly allFrom: number };

const DAY_MS = 86_400_000;

/**
 * The most that can be lost to a thief before `spanMs` ends, out of the limits alone: all network fees are in it, sales of
 * holdings at a bad price stand beside it. A withdrawal has to wait for its address, a key file for a ripe PIN and for its own wait; the sums of a day are those of any 24
 * hours, so a span of n days holds them n times.
 */
export function mostLost(hold: Hold, owner: Owner, spanMs: number, rules: GuardRules): Loss {
  switch (hold) {
    case 'frozen':
      return { lamports: 0n };
    case 'pin-unknown':
      return { lamports: withoutPin(spanMs, rules, owner === 'typing') + floors(spanMs, rules) };
    case 'unlocked':
      // All of a day at once; later what goes without the PIN, which is not typed again.
      return {
        lamports:
          rules.allSpendingLamports +
          (spanMs > DAY_MS ? sinceRight(spanMs - DAY_MS, rules) : 0n) +
          floors(spanMs, rules),
      };
    case 'no-pin':
      return lostWithoutPin(owner, spanMs, rules);
    case 'pin': {
      const allFrom = rules.longDelayMs;
      if (owner !== 'stopping' && spanMs > allFrom) return { allFrom };
      const withdrawn = times(spanMs - rules.delayMs) * rules.dailyCapLamports;
      return { lamports: times(spanMs) * rules.allSpendingLamports + withdrawn + floors(spanMs, rules) };
    }
  }
}

/**
 * A thief who sets the first PIN causes a notice, and waits until it is ripe; a thief who sets none is not, and has each day's cap. Stop takes the
 * young PIN away and freezes, so an owner who stops loses one small withdrawal to it.
 */
function lostWithoutPin(owner: Owner, spanMs: number, rules: GuardRules): Loss {
  const { longDelayMs, delayMs, spendCapLamports, unripeCapLamports } = rules;
  const allFrom = 2 * longDelayMs;
  const young = spanMs > delayMs ? unripeCapLamports : 0n;
  if (owner === 'stopping')
    return { lamports: times(spanMs) * spendCapLamports + young + floors(spanMs, rules) };
  if (spanMs > allFrom) return { allFrom };
  const first = times(Math.min(spanMs, longDelayMs)) * spendCapLamports + young;
  const ripeMs = spanMs - longDelayMs;
  const ripe = times(ripeMs) * (rules.allSpendingLamports + rules.dailyCapLamports);
  return { lamports: first + ripe + floors(spanMs, rules) };
}

/** What goes without a PIN where there is a ripe one: each day's cap, and in all until the PIN is right again. */
function withoutPin(spanMs: number, rules: GuardRules, isTypedDaily: boolean): bigint {
  const days = times(spanMs) * rules.spendCapLamports;
  return isTypedDaily ? days : least(days, rules.sinceRightPinLamports);
}

/** Fees of sales that no other limit has room for. */
const floors = (spanMs: number, rules: GuardRules): bigint => times(spanMs) * rules.floorFeesLamports;

const sinceRight = (spanMs: number, rules: GuardRules): bigint => withoutPin(spanMs, rules, false);

/** How often a limit of 24 hours can be used up within a span. */
const times = (spanMs: number): bigint => (spanMs <= 0 ? 0n : BigInt(Math.ceil(spanMs / DAY_MS)));

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

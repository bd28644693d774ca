import { isOver, type Reading } from '../../../core/time/due.ts';
import type { Guard, GuardRules } from './guard.ts';

export const CAP_WINDOW_MS = 86_400_000;
/** Token withdrawals whose worth in SOL is not known: so many within 24 hours, of any amount. */
export const UNPRICED_PER_DAY = 5;

/** The money that left, or is about to leave, within a window. */
export type CapUse = { readonly lamports: bigint; readonly unpriced: number };

/** `withdrawals`: money that leaves to other addresses. `spending`: money that a chat spends without its PIN. */
export type CapKind = 'withdrawals' | 'spending';

type Setting = { readonly lamports: bigint | null; readonly next: bigint | null; readonly at: number | null };

/** The cap in force, in lamports per 24 hours. */
export function capNow(guard: Guard, at: Reading, rules: GuardRules, kind: CapKind = 'withdrawals'): bigint {
  const { lamports, next, at: from } = settingOf(guard, kind);
  const raised = next !== null && from !== null && isOver(from, at);
  const common = kind === 'withdrawals' ? rules.dailyCapLamports : rules.spendCapLamports;
  return (raised ? next : lamports) ?? common;
}

/** The raise that waits and when it takes effect, or null. */
export function nextCap(
  guard: Guard,
  clock: Reading,
  kind: CapKind,
): { readonly lamports: bigint; readonly at: number } | null {
  const { next, at } = settingOf(guard, kind);
  return next !== null && at !== null && !isOver(at, clock) ? { lamports: next, at } : null;
}

/** Lowering counts at once and withdraws a raise that waits; raising waits its time and until then nothing changes. */
export function withCap(
  guard: Guard,
  lamports: bigint,
  now: number,
  rules: GuardRules,
  kind: CapKind = 'withdrawals',
): Guard {
  const current = capNow(guard, now, rules, kind);
  return lamports <= current
    ? withSetting(guard, kind, { lamports, next: null, at: null })
    : withSetting(guard, kind, { lamports: current, next: lamports, at: now + rules.longDelayMs });
}

/** Raises that wait begin their wait again. */
export function withRaisesPutOff(guard: Guard, now: number, rules: GuardRules): Guard {
  const later = (at: number | null): number | null =>
    at === null || at <= now ? at : now + rules.longDelayMs;
  return { ...guard, nextCapAt: later(guard.nextCapAt), nextSpendCapAt: later(guard.nextSpendCapAt) };
}

/** No raise waits any more; one whose time is over has taken effect and stays. */
export function withoutRaises(guard: Guard, now: number): Guard {
  const ended = (kind: CapKind, from: Guard): Guard =>
    nextCap(from, now, kind) === null
      ? from
      : withSetting(from, kind, { lamports: settingOf(from, kind).lamports, next: null, at: null });
  return ended('withdrawals', ended('spending', guard));
}

/** The row of the gate that a new cap passes. */
export function capAct(
  guard: Guard,
  lamports: bigint,
  now: number,
  rules: GuardRules,
  kind: CapKind,
): 'cap-lower' | 'cap-raise' {
  return lamports <= capNow(guard, now, rules, kind) ? 'cap-lower' : 'cap-raise';
}

function settingOf(guard: Guard, kind: CapKind): Setting {
  return kind === 'withdrawals'
    ? { lamports: guard.capLamports, next: guard.nextCapLamports, at: guard.nextCapAt }
    : { lamports: guard.spendCapLamports, next: guard.nextSpendCapLamports, at: guard.nextSpendCapAt };
}

function withSetting(guard: Guard, kind: CapKind, { lamports, next, at }: Setting): Guard {
  return kind === 'withdrawals'
    ? { ...guard, capLamports: lamports, nextCapLamports: next, nextCapAt: at }
    : { ...guard, spendCapLamports: lamports, nextSpendCapLamports: next, nextSpendCapAt: at };
}

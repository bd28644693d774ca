import { AppError } from '../../../core/errors/app-error.ts';
import type { Pause } from '../../../engine/switches/rules.ts';
import { type Act, type Rate, ruleOf } from './acts.ts';
import { assertNotFrozen } from './freeze.ts';
import type { Guard, GuardRules } from './guard.ts';
import { assertPinUsable } from './pin.ts';
import { ripensAt } from './ripe.ts';

export type ActCase = {
  readonly act: Act;
  readonly guard: Guard;
  /** The pauses of now. */
  readonly pauses: readonly Pause[];
  /** When the acts of the same rate were done within its span, the oldest first. Epoch milliseconds. */
  readonly done: readonly number[];
  readonly now: number;
  /** The least that the clocks show: a wait is over when all of them say so. */
  readonly earliest?: number;
  readonly rules: GuardRules;
};

/**
 * Refuses an act before the person is asked anything: a freeze, a switch, its rate, a PIN that is missing, locked or too young. Throws
 * ACCOUNT_FROZEN, PAUSED, ACT_LIMIT, PIN_REQUIRED, PIN_TOO_NEW, PIN_LOCKED. The judges of withdrawals and trades decide by its sum.
 */
export function judgeAct({ act, guard, pauses, done, now, earliest = now, rules }: ActCase): void {
  const rule = ruleOf(act);
  if (rule.frozen === 'refused') assertNotFrozen(guard, earliest);
  const pause = pauses.find(({ what }) => rule.switches.includes(what));
  if (pause !== undefined) throw new AppError('PAUSED', pause);
  if (rule.rate !== null) assertWithinRate(rule.rate, rules.rates[rule.rate], done);
  if (!asksPin(act, guard)) return;
  assertPinUsable(guard, now);
  if (rule.pin !== 'ripe') return;
  const until = ripensAt(guard, earliest, rules, rule.caps === 'whole-wallet');
  if (until !== null) throw new AppError('PIN_TOO_NEW', { until });
}

/** Whether the act takes the PIN of this person. Where the judge of trades says so, it says so itself. */
export function asksPin(act: Act, guard: Pick<Guard, 'pinHash'>): boolean {
  const { pin } = ruleOf(act);
  return pin === 'always' || pin === 'ripe' || (pin === 'where-set' && guard.pinHash !== null);
}

/** So many acts within a span of milliseconds. */
export type RateRule = { readonly count: number; readonly spanMs: number };

/** Throws ACT_LIMIT where as many were done within the span, with the moment at which one more fits. */
export function assertWithinRate(rate: Rate, { count, spanMs }: RateRule, done: readonly number[]): void {
  if (done.length < count) return;
  // The moment at which so many lie behind that one more fits.
  const oldest = done[done.length - count] ?? 0;
  throw new AppError('ACT_LIMIT', { rate, max: count, spanMs, until: oldest + spanMs });
}

import { AppError } from '../../../core/errors/app-error.ts';
import { isOver, type Reading } from '../../../core/time/due.ts';
import type { Guard, GuardRules } from './guard.ts';

type PinAge = Pick<Guard, 'pinHash' | 'pinSetAt'>;

/**
 * The moment from which the present PIN is ripe, epoch milliseconds; null without a PIN, or where no row says how old it is.
 * Any holder of an unlocked account can set a PIN: it must not let anything out before the owner could see that it is there.
 */
export function ripeFrom(guard: PinAge, rules: Pick<GuardRules, 'longDelayMs'>): number | null {
  return guard.pinHash === null || guard.pinSetAt === null ? null : guard.pinSetAt + rules.longDelayMs;
}

/** True from the moment on at which the present PIN was set or changed long enough ago. */
export function isRipe(guard: PinAge, at: Reading, rules: Pick<GuardRules, 'longDelayMs'>): boolean {
  const from = ripeFrom(guard, rules);
  return from !== null && isOver(from, at);
}

/** Throws PIN_REQUIRED without a PIN, and PIN_TOO_NEW while the present one ripens. */
export function assertRipe(guard: PinAge, at: Reading, rules: Pick<GuardRules, 'longDelayMs'>): void {
  if (isRipe(guard, at, rules)) return;
  const from = ripeFrom(guard, rules);
  if (from === null) throw new AppError('PIN_REQUIRED', {});
  throw new AppError('PIN_TOO_NEW', { until: from });
}

/**
 * When the present PIN is old enough for an act that needs a ripe one; null where it is so now, or where there is none: nothing is too young before it exists. A first PIN of a person of the last
 * day counts as ripe, except `forExport`: a key that left cannot be called back.
 */
export function ripensAt(
  guard: PinAge & Pick<Guard, 'unlocksFrom'>,
  now: number,
  rules: Pick<GuardRules, 'longDelayMs'>,
  forExport = false,
): number | null {
  if (guard.pinHash === null) return null;
  const at = forExport ? ripeFrom(guard, rules) : guard.unlocksFrom;
  return at !== null && now < at ? at : null;
}

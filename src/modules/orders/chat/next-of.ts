import { AppError } from '../../../core/errors/app-error.ts';

/** The choice after this one, round and round; the first one after what is none of them. */
export function nextOf<T>(all: readonly T[], now: T): T {
  return all[(all.indexOf(now) + 1) % all.length] ?? now;
}

/** The choice behind one of several like buttons. Throws BUTTON_STALE where there is none. */
export function chosenOf<T>(all: readonly T[], index: number): T {
  const chosen = all[index];
  if (chosen === undefined) throw new AppError('BUTTON_STALE', {});
  return chosen;
}

import { AppError } from '../../core/errors/app-error.ts';

/** The place of a word, for the error. */
type Place = { readonly table: string; readonly row: string; readonly field: string };

/** A word as a column has it. Throws ROW_INVALID for one that is not among `known`: no release wrote it. */
export function storedWord<const T extends string>(known: readonly T[], word: string, place: Place): T {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  throw new AppError('ROW_INVALID', { ...place, expected: `one of ${known.join(', ')}` });
}

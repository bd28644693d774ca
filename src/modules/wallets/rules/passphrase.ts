import { AppError } from '../../../core/errors/app-error.ts';

export const PASSPHRASE_MIN = 12;
export const PASSPHRASE_MAX = 256;

/** Throws PASSPHRASE_UNSUITABLE unless it has 12 to 256 characters. */
export function assertPassphrase(passphrase: string): void {
  const { length } = Array.from(passphrase);
  if (length < PASSPHRASE_MIN || length > PASSPHRASE_MAX) {
    throw new AppError('PASSPHRASE_UNSUITABLE', { minLength: PASSPHRASE_MIN, maxLength: PASSPHRASE_MAX });
  }
}

import { type Address, isAddress } from '@tradepost/solana';
import { AppError } from '../errors/app-error.ts';

/** Checks and brands user input. Throws ADDRESS_INVALID (with at most 64 characters of the text) otherwise. */
export function address(text: string): Address {
  const trimmed = text.trim();
  if (!isAddress(trimmed)) throw new AppError('ADDRESS_INVALID', { given: trimmed.slice(0, 64) });
  return trimmed;
}

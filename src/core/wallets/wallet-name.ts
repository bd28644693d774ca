import { AppError } from '../errors/app-error.ts';
import { WALLET_NAME_MAX } from './wallet.ts';

/**
 * A name a person typed for a wallet: invisible and direction-changing characters removed, white space collapsed, 1 to 20
 * characters as a reader counts them. Throws TEXT_INVALID otherwise. Combining marks count too, so that a stack of them
 * cannot make a name taller than its line.
 */
export function walletName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2800\u3164\uFFA0\u115F\u1160]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  const length = Array.from(name).length;
  if (length < 1 || length > WALLET_NAME_MAX) {
    throw new AppError('TEXT_INVALID', { field: 'wallet name', minLength: 1, maxLength: WALLET_NAME_MAX });
  }
  return name;
}

/** The first of `Main`, `Wallet 2`, `Wallet 3` … that is not among `taken`, letter case aside. */
export function freeWalletName(taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  if (used.size === 0) return 'Main';
  for (let n = used.size + 1; ; n += 1) {
    if (!used.has(`wallet ${n}`)) return `Wallet ${n}`;
  }
}

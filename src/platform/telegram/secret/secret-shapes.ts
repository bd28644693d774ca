import { withPlainDigits } from '../../../core/text/digits.ts';

/** Six digits, alone or with the code of an authenticator or a recovery code behind them. */
export function isPinShaped(text: string): boolean {
  return /^\s*[0-9]{6}(?:[ ,./+-]{0,3}(?:[0-9]{6}|[A-Za-z2-7](?:[ -]?[A-Za-z2-7]){15}))?\s*$/.test(
    withPlainDigits(text),
  );
}

/** A secret key as wallets print it: 64 bytes in base58, or as a JSON array. A transaction's signature looks the same. */
export function isKeyShaped(text: string): boolean {
  const trimmed = text.trim();
  if (/^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(trimmed)) return true;
  return /^\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){31,63}\s*,?\s*\]$/.test(trimmed);
}

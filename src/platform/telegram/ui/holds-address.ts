import { isAddress } from '@tradepost/solana';

const LONGEST_TEXT = 500;

/** An address alone, in a sentence or in a link. */
export function holdsAddress(text: string): boolean {
  const words: readonly string[] = text.slice(0, LONGEST_TEXT).match(/[1-9A-HJ-NP-Za-km-z]{32,}/g) ?? [];
  return words.some(isAddress);
}

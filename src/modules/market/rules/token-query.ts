import { type Address, isAddress } from '@tradepost/solana';
import { searchKey } from './search-key.ts';

/** The subject of a search. */
export type TokenQuery =
  /** One of these: a pasted address, alone or in a link. */
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[] }
  | { readonly kind: 'name'; readonly key: string };

/** Characters of a ticker or a name. */
export const MAX_QUERY = 64;
/** Of a link, which holds an address. */
export const MAX_LINK = 512;
/** So that a pasted wall of addresses costs no more than a few look-ups. */
const MAX_ADDRESSES = 3;

/**
 * The search that a text means: an address, `$PUP`, `PUP`, `puppy`, or a link with an address in it. Null for one of more than 64
 * characters without an address, for a longer link, and for one of which nothing shows.
 */
export function readTokenQuery(text: string): TokenQuery | null {
  if (text.length > MAX_LINK) return null;
  const words: readonly string[] = text.match(/[1-9A-HJ-NP-Za-km-z]{32,}/g) ?? [];
  const addresses = [...new Set(words.filter(isAddress))].slice(0, MAX_ADDRESSES);
  if (addresses.length > 0) return { kind: 'addresses', addresses };
  if (Array.from(text).length > MAX_QUERY) return null;
  const key = searchKey(text);
  return key === '' ? null : { kind: 'name', key };
}

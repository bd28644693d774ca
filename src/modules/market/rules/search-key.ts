import { skeleton } from '../../tokens/rules/look-alike.ts';

/** Of a key: longer names are cut, and found by the rest. */
const MAX_KEY = 128;

/**
 * The form in which a search compares symbols and names: as a reader sees them (`skeleton`), a `$` in front left out. Letters that are then
 * not ASCII are spelled as `u<hex>`: the database's trigrams see no other letter under the `C` locale. Empty when nothing shows.
 */
export function searchKey(text: string | null): string {
  const seen = skeleton(text?.trim().replace(/^\$+(?=.)/u, '') ?? null) ?? '';
  return Array.from(seen, (letter) =>
    letter <= '\u007f' ? letter : `u${(letter.codePointAt(0) ?? 0).toString(16)}`,
  )
    .join('')
    .slice(0, MAX_KEY);
}

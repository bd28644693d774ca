/**
 * Puts `item` in its place among the `count` that gain most, best first. Returns the gain that the next one must exceed: `least` until
 * there are so many.
 */
export function keepTop<T extends { readonly gain: number }>(
  kept: T[],
  item: T,
  count: number,
  least: number,
): number {
  let place = kept.length;
  while (place > 0 && (kept[place - 1] as T).gain < item.gain) place--;
  kept.splice(place, 0, item);
  if (kept.length > count) kept.pop();
  return kept.length === count ? (kept[count - 1] as T).gain : least;
}

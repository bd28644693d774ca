/**
 * Letters that the fonts we ship can draw. Left out although drawable: combining marks and marks of direction, which could move the text
 * beside them. A renderer draws unknown letters as empty boxes without an error.
 */
const RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x24f],
  [0x391, 0x3a1],
  [0x3a3, 0x3ff],
  [0x400, 0x482],
  [0x48a, 0x513],
  [0x1e00, 0x1e99],
  [0x2012, 0x2015],
  [0x2018, 0x2022],
  [0x2026, 0x2026],
  [0x2080, 0x2089],
  [0x20a0, 0x20b5],
  [0x2190, 0x21ff],
  [0x2200, 0x22ff],
  [0x25a0, 0x25ff],
];

/** The text without line breaks and cut to `longest` letters, or `instead` where a letter of it cannot be drawn. */
export function drawable(text: string, instead: string, longest = 24): string {
  const letters = Array.from(text.replace(/\s+/g, ' ').trim());
  const known = letters.every((letter) => {
    const point = letter.codePointAt(0) ?? 0;
    return RANGES.some(([from, to]) => point >= from && point <= to);
  });
  if (!known || letters.length === 0) return instead;
  return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

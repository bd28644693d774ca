/**
 * How wide a text is about, in the height of its letters, and a little more than it is in the fonts of phones. Names are their
 * owner's to choose: ten W are as wide as thirty i, so a label is cut by its width and not by its letters.
 */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

/** The text where it is no wider than `most`, else its beginning and `…`. A letter is never cut in two. */
export function fitted(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let kept = '';
  let width = letterWidth('…');
  for (const letter of Array.from(text)) {
    width += letterWidth(letter);
    if (width > most) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

function letterWidth(letter: string): number {
  if (/[WM@%…—]/.test(letter)) return 1;
  if (/[mw]/.test(letter)) return 0.9;
  if (/[ijlIftr.,:;|!'’·()[\]\s\-1]/.test(letter)) return 0.4;
  if (/[a-z0-9$+−?]/.test(letter)) return 0.62;
  return /[\u0020-\u024F]/.test(letter) ? 0.78 : 1.25;
}

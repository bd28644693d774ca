import { cursorInvalid, cursorText, readCursor } from '../../market/api/market-input.ts';
import type { TokenPlace } from '../../market/rules/token-list.ts';

/** The cursor of a place in a list of tokens. It is good for that list alone. */
export function placeCursor(list: string, { figure, mint }: TokenPlace): string {
  return cursorText(list, `${figure ?? ''} ${mint}`);
}

/** Where the page before ended. Throws CURSOR_INVALID. */
export function placeOf(list: string, cursor: string): TokenPlace {
  const [, figure, mint] = /^(-?[\d.e+-]*) (\w{32,44})$/.exec(readCursor(list, cursor)) ?? [];
  const value = figure === '' ? null : Number(figure);
  if (mint === undefined || Number.isNaN(value)) throw cursorInvalid();
  return { figure: value, mint };
}

import { parseHtml } from '@tradepost/local-telegram';
import type { View } from '../../../src/platform/telegram/ui/screen.ts';

/**
 * A point before decimals, a comma between thousands, an ordinary space before `%`. Both ways of typing are read, so a button and an
 * example have the marks of the language, too.
 */
const ENGLISH_MARKS = /\d\.\d|\b[1-9]\d{0,2}(,\d{3})+(?!\d)|\d %/;
/** Addresses of the web and of machines: their points are no marks of numbers. */
const ADDRESSES = /https?:\/\/\S+|\b\d{1,3}(\.\d{1,3}){3}\b/g;

/** The lines that have a number in English marks. */
export const withEnglishMarks = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => ENGLISH_MARKS.test(line.replace(ADDRESSES, '')));

/** Everything that a screen says: its lines, its buttons, and the hint of its question. */
export const saidBy = ({ text, keyboard, placeholder }: View): readonly string[] => [
  ...parseHtml(text.markup).text.split('\n'),
  ...(keyboard ?? []).flat().map((button) => button.text),
  ...(placeholder === undefined ? [] : [placeholder]),
];

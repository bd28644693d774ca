/**
 * A typed number with the digits 0 to 9. Digits of other scripts are digits: Arabic-Indic, Persian, Devanagari, full width and every other
 * decimal script of Unicode (category Nd). The signs of those scripts become ours: the Arabic decimal sign `٫` and the full-width `．` a
 * dot, and both per cent signs `%`. The full-width `，` becomes a comma, which is as ambiguous as ours. The Arabic sign between thousands
 * `٬` goes where it parts thousands and nothing else. A character that is no digit (superscripts, circled digits, letters that look like
 * digits) stays, so that readers refuse it. Null where digits of two scripts are mixed: that is how a number is made to look like another.
 */
export function plainDigits(text: string): string | null {
  let script: number | null = null;
  let plain = '';
  for (const sign of text.replace(MARKS_AT_ENDS, '')) {
    if (!DIGIT.test(sign)) {
      plain += SIGNS[sign] ?? sign;
      continue;
    }
    const code = sign.codePointAt(0) ?? 0;
    const zero = zeroOf(code);
    if (script !== null && script !== zero) return null;
    script = zero;
    plain += String(code - zero);
  }
  return plain.replace(THOUSANDS, (number) => number.replaceAll(THOUSANDS_SIGN, ''));
}

/** The same for a reader that refuses by itself: mixed scripts come back as they were, and are no number to it. */
export const withPlainDigits = (text: string): string => plainDigits(text) ?? text;

const DIGIT = /\p{Nd}/u;
/** Keyboards of scripts that are written from the right put them around numbers; between digits they could change the visible number. */
const MARKS_AT_ENDS = /^[\s\u061C\u200E\u200F]+|[\s\u061C\u200E\u200F]+$/gu;
const THOUSANDS_SIGN = '\u066C';
const THOUSANDS = /(?<![\d.,\u066C])[1-9]\d{0,2}(?:\u066C\d{3})+(?![\d,\u066C])/gu;

const SIGNS: Readonly<Record<string, string>> = {
  '\u066B': '.',
  '\uFF0E': '.',
  '\uFF0C': ',',
  '\u066A': '%',
  '\uFF05': '%',
};

/** The zero of a digit's script. Unicode keeps the digits of a script in a row of ten; where rows lie side by side each is a script. */
function zeroOf(code: number): number {
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return code - ((code - first) % 10);
}

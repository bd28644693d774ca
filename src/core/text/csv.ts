/** CSV as RFC 4180 has it: commas, CRLF, quotes doubled. */

/**
 * One line with its end. A cell that a spreadsheet would take for a formula gets an apostrophe in front, which it then shows as text: a
 * token's symbol is written by a stranger, and `=HYPERLINK(…)` on a person's own tax sheet is an attack. Numbers stay as they are.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const QUOTED = /[",\r\n]/;

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

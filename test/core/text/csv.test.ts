import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from '../../../src/core/text/csv.ts';

/** Reads one line as RFC 4180 says, by its own rules and not by the writer's. */
function readRow(line: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let cell = '';
      for (at += 1; ; at += 1) {
        if (line[at] === '"' && line[at + 1] === '"') at += 1;
        else if (line[at] === '"') break;
        cell += line[at];
      }
      cells.push(cell);
      at += 2;
    } else {
      const end = line.indexOf(',', at);
      cells.push(line.slice(at, end === -1 ? line.length : end));
      at = end === -1 ? line.length + 1 : end + 1;
    }
  }
  return cells;
}

describe('a CSV line', () => {
  it('gives back every cell that is no formula, whatever is in it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ñ', '1', '‮') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const plain = cells.map((text) => (text.startsWith('\r') ? `x${text}` : text));
        const line = csvRow(plain);
        expect(line.endsWith('\r\n')).toBe(true);
        expect(readRow(line.slice(0, -2))).toEqual(plain);
      }),
    );
  });

  it('lets no cell begin as a formula, and leaves numbers alone', () => {
    const begins = ['=HYPERLINK("http://x","y")', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\rx', '-', '+'];
    for (const text of begins) expect(readRow(csvRow([text]).slice(0, -2))).toEqual([`'${text}`]);
    for (const number of ['-5', '+5', '-0.000000001', '7']) expect(csvRow([number])).toBe(`${number}\r\n`);
  });
});

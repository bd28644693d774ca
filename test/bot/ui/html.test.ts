import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bold, code, fill, html, lines, plain } from '../../../src/bot/ui/html.ts';
import { parseHtml } from '../../../src/local/telegram/core/html.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('<', '>', '&', '"', '/', 'b', 'a', ' ', '=', ';', '#', 'l', 't') }),
);

describe('html', () => {
  it('turns any text into exactly itself, with the template’s own entities and no others', () => {
    fc.assert(
      fc.property(anyText, anyText, (first, second) => {
        const { text, entities } = parseHtml(html`x<b>${first}</b>y${code(second)}z`.markup);
        expect(text).toBe(`x${first}y${second}z`);
        const expected = [
          ...(first === '' ? [] : [{ type: 'bold', offset: 1, length: first.length }]),
          ...(second === '' ? [] : [{ type: 'code', offset: 2 + first.length, length: second.length }]),
        ];
        expect(entities.map(({ type, offset, length }) => ({ type, offset, length }))).toEqual(expected);
      }),
    );
  });

  it('escapes values of catalogue texts and leaves their markup', () => {
    expect(fill('<b>{a}</b> & {b}', { a: '<i>', b: bold('x') }).markup).toBe('<b>&lt;i&gt;</b> & <b>x</b>');
    expect(() => fill('{missing}', {})).toThrow(/missing/);
  });

  it('leaves out absent lines', () => {
    expect(lines(plain('a'), null, false, plain('b')).markup).toBe('a\nb');
  });
});

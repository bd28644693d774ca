import { parseHtml } from '@tradepost/local-telegram';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bold, code, fill, html, lines, plain } from '../../../src/bot/ui/html.ts';

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

  it('places Html as it is, lists one after the other, and numbers as their digits', () => {
    const list = [bold('<'), plain(' & '), code('>')];
    expect(html`[${list}] ${12n} ${-3.5} ${plain('"')}`.markup).toBe(
      '[<b>&lt;</b> &amp; <code>&gt;</code>] 12 -3.5 &quot;',
    );
    expect(html`${[]}`.markup).toBe('');
    expect(html``.markup).toBe('');
  });

  it('names the placeholder that has no value, and takes an empty one', () => {
    expect(() => fill('a {first_name} b', { other: 1 })).toThrow('no value for placeholder {first_name}');
    expect(fill('[{empty}{n}]', { empty: '', n: 0 }).markup).toBe('[0]');
    expect(fill('{not a name} {}', {}).markup).toBe('{not a name} {}');
  });

  it('leaves out absent lines', () => {
    expect(lines(plain('a'), null, false, plain('b')).markup).toBe('a\nb');
  });
});

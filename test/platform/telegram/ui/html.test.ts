import { findAutoEntities, parseHtml } from '@tradepost/local-telegram';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bold, code, fill, html, lines, plain } from '../../../../src/platform/telegram/ui/html.ts';

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
        expect(findAutoEntities(text, entities)).toEqual([]);
        const found = entities.map(({ type, offset, length }) => ({ type, offset, length }));
        // Words that look like links are code where the template has none.
        const own = found.filter(({ type, offset }) => type !== 'code' || offset === 2 + first.length);
        expect(own).toEqual(expected);
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

  it('makes code of a word that Telegram would make a link of, and leaves numbers and sentences', () => {
    expect(html`${'get pump.fun <now>'} ${bold('@durov')} ${'/panic'} ${'$TICK'} ${'#moon'}`.markup).toBe(
      'get <code>pump.fun</code> &lt;now&gt; <b><code>@durov</code></b> <code>/panic</code> <code>$TICK</code> <code>#moon</code>',
    );
    expect(html`${'1.5 SOL, $0.02, 3/5, and/or, #7. Done.'}`.markup).toBe(
      '1.5 SOL, $0.02, 3/5, and/or, #7. Done.',
    );
    expect(html`${plain('https://ours.example')}`.markup).toBe('https://ours.example');
  });

  it('leaves out absent lines', () => {
    expect(lines(plain('a'), null, false, plain('b')).markup).toBe('a\nb');
  });
});

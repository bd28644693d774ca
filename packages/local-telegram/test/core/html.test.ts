import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../src/core/html.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const kinds = (source: string) => parseHtml(source).entities.map((e) => [e.type, e.offset, e.length]);
const problem = (source: string): string => {
  try {
    parseHtml(source);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('HTML to entities', () => {
  it.each([
    ['<b>x</b>', 'bold'],
    ['<strong>x</strong>', 'bold'],
    ['<i>x</i>', 'italic'],
    ['<em>x</em>', 'italic'],
    ['<u>x</u>', 'underline'],
    ['<ins>x</ins>', 'underline'],
    ['<s>x</s>', 'strikethrough'],
    ['<strike>x</strike>', 'strikethrough'],
    ['<del>x</del>', 'strikethrough'],
    ['<code>x</code>', 'code'],
    ['<pre>x</pre>', 'pre'],
    ['<tg-spoiler>x</tg-spoiler>', 'spoiler'],
    ['<span class="tg-spoiler">x</span>', 'spoiler'],
    ['<blockquote>x</blockquote>', 'blockquote'],
    ['<blockquote expandable>x</blockquote>', 'expandable_blockquote'],
    ['<B>x</b>', 'bold'],
  ])('reads %s as %s', (source, type) => {
    expect(parseHtml(source)).toEqual({ text: 'x', entities: [{ type, offset: 0, length: 1 }] });
  });

  it('counts offsets in UTF-16 units', () => {
    expect(parseHtml('😀 <b>né😀</b>')).toEqual({
      text: '😀 né😀',
      entities: [{ type: 'bold', offset: 3, length: 4 }],
    });
  });

  it('sorts by offset, longer first, outer before inner', () => {
    expect(kinds('<i><b>ab</b>c</i><u>d</u>')).toEqual([
      ['italic', 0, 3],
      ['bold', 0, 2],
      ['underline', 3, 1],
    ]);
    expect(kinds('<i><b>ab</b></i>')).toEqual([
      ['italic', 0, 2],
      ['bold', 0, 2],
    ]);
  });

  it('drops empty entities', () => {
    expect(parseHtml('a<b></b>c')).toEqual({ text: 'ac', entities: [] });
  });

  it('writes links the way Telegram does and drops those it would not keep', () => {
    expect(parseHtml('<a href="https://solana.com">s</a>').entities).toEqual([
      { type: 'text_link', offset: 0, length: 1, url: 'https://solana.com/' },
    ]);
    expect(parseHtml('<a href="javascript:alert(1)">s</a>').entities).toEqual([]);
    expect(parseHtml('<a href="tg://resolve?domain=x">s</a>').entities).toHaveLength(1);
  });

  it('joins pre and code with a language into one entity', () => {
    expect(parseHtml('<pre><code class="language-ts">x</code></pre>').entities).toEqual([
      { type: 'pre', offset: 0, length: 1, language: 'ts' },
    ]);
  });

  it('keeps nothing inside code', () => {
    expect(kinds('<code>a<b>b</b></code>')).toEqual([['code', 0, 2]]);
  });

  it('knows four named references and all numeric ones', () => {
    expect(parseHtml('&lt;&gt;&amp;&quot;&#65;&#x1F600;').text).toBe('<>&"A😀');
    expect(parseHtml('&nbsp; & &copy; &#xD800;').text).toBe('&nbsp; & &copy; &#xD800;');
  });

  it.each([
    ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<x>y</x>', 'Unsupported start tag "x" at byte offset 0'],
    ['é<x>y</x>', 'Unsupported start tag "x" at byte offset 2'],
    ['<b><i>x</b></i>', 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['a <b', 'Unclosed start tag at byte offset 2'],
    ['<span>x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a href>x</a>', 'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 0'],
    ['<b>x</b', 'Unclosed end tag at byte offset 4'],
  ])('refuses %s', (source, reason) => {
    expect(problem(source)).toBe(`Bad Request: can't parse entities: ${reason}`);
  });

  it('gives any escaped text back unchanged, without entities', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseHtml(escaped(text))).toEqual({ text, entities: [] });
      }),
    );
  });

  it('covers exactly the escaped text inside a tag', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, inner, after) => {
        const parsed = parseHtml(`${escaped(before)}<b>${escaped(inner)}</b>${escaped(after)}`);
        expect(parsed.text).toBe(before + inner + after);
        expect(parsed.entities).toEqual([{ type: 'bold', offset: before.length, length: inner.length }]);
      }),
    );
  });

  it('either parses or refuses with a 400, and never places an entity outside the text', () => {
    const soup = fc.array(
      fc.constantFrom(
        '<b>',
        '</b>',
        '<i>',
        '</i>',
        '<code>',
        '</code>',
        '<a href="x">',
        '</a>',
        '&',
        ';',
        'é',
        '😀',
        ' ',
        '<',
        '>',
        '"',
        '/',
      ),
    );
    fc.assert(
      fc.property(soup, (parts) => {
        const source = parts.join('');
        const reason = problem(source);
        if (reason !== 'accepted') {
          expect(reason).toMatch(/^Bad Request: can't parse entities: /);
          return;
        }
        const { text, entities } = parseHtml(source);
        for (const e of entities) {
          expect(e.length).toBeGreaterThan(0);
          expect(e.offset + e.length).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/core/text.ts';

const html = (text: string) => formatText({ text, parseMode: 'HTML', entities: undefined });
const plain = (text: string) => formatText({ text, parseMode: undefined, entities: undefined });
const found = (text: string) =>
  plain(text).entities.map((e) => `${e.type} ${plain(text).text.slice(e.offset, e.offset + e.length)}`);

describe('the text of a message', () => {
  it('is trimmed on both ends and its entities move along', () => {
    expect(html('\n  <b>a</b> b \n')).toEqual({
      text: 'a b',
      entities: [{ type: 'bold', offset: 0, length: 1 }],
    });
    expect(html('<b> a </b>')).toEqual({ text: 'a', entities: [{ type: 'bold', offset: 0, length: 1 }] });
  });

  it('loses control characters and carriage returns', () => {
    expect(plain('a\u0000b\r\nc\u0007').text).toBe('a b\nc');
  });

  it('cuts code out of bold', () => {
    expect(html('<b>a<code>b</code>c</b>').entities).toEqual([
      { type: 'bold', offset: 0, length: 1 },
      { type: 'code', offset: 1, length: 1 },
      { type: 'bold', offset: 2, length: 1 },
    ]);
  });

  it('takes entities as given when there is no parse mode', () => {
    const entities = [{ type: 'bold', offset: 0, length: 2 }];
    expect(formatText({ text: 'ab', parseMode: undefined, entities }).entities).toEqual(entities);
  });

  it('refuses a parse mode it does not know', () => {
    expect(() => formatText({ text: 'a', parseMode: 'BBCode', entities: undefined })).toThrow(
      'unsupported parse_mode',
    );
  });

  it.each([
    ['/start now', ['bot_command /start']],
    ['write @alice.', ['mention @alice']],
    ['see https://x.io/a?b=1.', ['url https://x.io/a?b=1']],
    ['pump.fun and t.me/bot', ['url pump.fun', 'url t.me/bot']],
    ['#solana $SOL $sol', ['hashtag #solana', 'cashtag $SOL']],
    ['a@b.com', ['email a@b.com']],
    ['1/2 and a/b', []],
  ])('finds in %s what Telegram would mark up', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('finds nothing inside code: a hostile name there is no link', () => {
    expect(html('<code>@admin t.me/x /go</code>').entities.map((e) => e.type)).toEqual(['code']);
  });

  it('marks up any text only within its bounds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const formatted = plain(text);
        for (const e of formatted.entities) {
          expect(e.offset + e.length).toBeLessThanOrEqual(formatted.text.length);
        }
      }),
    );
  });
});

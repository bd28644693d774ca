import type { VNode } from 'preact';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/core/text.ts';
import { richText } from '../../src/page/rich-text.ts';

const actions = { copy: () => undefined, command: () => undefined, link: (url: string) => `[${url}]` };

/** Elements as they nest; text is in quotes, so that text that looks like a tag cannot pass for one. */
function outline(node: unknown): string {
  if (Array.isArray(node)) return node.map(outline).join('');
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (typeof node !== 'object') return JSON.stringify(node);
  const { type, props } = node as VNode<{ readonly children?: unknown }>;
  const name = typeof type === 'string' ? type : 'component';
  return `<${name}>${outline(props.children)}</${name}>`;
}

const drawn = (html: string) => {
  const { text, entities } = formatText({ text: html, parseMode: 'HTML', entities: undefined });
  return outline(richText(text, entities, actions));
};

describe('the text of a bubble', () => {
  it('nests as its entities do', () => {
    expect(drawn('a <b>b <i>c</i></b> d')).toBe('"a "<strong>"b "<em>"c"</em></strong>" d"');
  });

  it('shows hostile text as the text it is', () => {
    expect(drawn('&lt;img src=x onerror=alert(1)&gt;')).toBe('"<img src=x onerror=alert(1)>"');
    expect(drawn('<code>&lt;b&gt;</code>')).toBe('<code>"<b>"</code>');
  });

  it('hands links over and makes commands tappable', () => {
    expect(drawn('<a href="https://x.io/">y</a> /help')).toBe('"[https://x.io/]"" "<button>"/help"</button>');
  });

  it('drops the line break a quote makes itself', () => {
    expect(drawn('<blockquote>q</blockquote>\nnext')).toBe('<blockquote>"q"</blockquote>"next"');
  });

  it('survives entities that cross or leave the text', () => {
    const crossing = [
      { type: 'bold', offset: 0, length: 3 },
      { type: 'italic', offset: 2, length: 90 },
    ] as const;
    expect(outline(richText('abcde', crossing, actions))).toBe('<strong>"ab"<em>"c"</em></strong>"de"');
  });
});

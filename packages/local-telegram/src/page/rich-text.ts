import type { MessageEntity } from '@grammyjs/types';
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export type TextActions = {
  readonly copy: (text: string) => void;
  readonly command: (text: string) => void;
  /** How a link is drawn, or undefined for a text that is none. */
  readonly link: (url: string, label: ComponentChildren) => ComponentChildren;
};

/** Text and entities as elements; nothing is ever parsed as HTML, so a hostile name stays the text it is. */
export function richText(
  text: string,
  entities: readonly MessageEntity[],
  actions: TextActions,
): ComponentChildren {
  return range(text, 0, text.length, entities, actions);
}

function range(
  text: string,
  from: number,
  to: number,
  entities: readonly MessageEntity[],
  actions: TextActions,
): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = from;
  let next = 0;
  while (next < entities.length) {
    const entity = entities[next];
    if (entity === undefined) break;
    next += 1;
    const start = Math.max(at, entity.offset);
    const end = Math.min(to, entity.offset + entity.length);
    if (end <= start) continue;
    if (start > at) parts.push(text.slice(at, start));
    const inner: MessageEntity[] = [];
    for (let item = entities[next]; item !== undefined && item.offset < end; item = entities[next]) {
      inner.push(item);
      next += 1;
    }
    const plain = text.slice(start, end);
    parts.push(element(entity, plain, range(text, start, end, inner, actions), actions));
    // A quote or a block ends its own line: the line break behind it would leave an empty one.
    const isBlock = entity.type === 'pre' || entity.type.endsWith('blockquote');
    at = isBlock && text[end] === '\n' ? end + 1 : end;
  }
  if (at < to) parts.push(text.slice(at, to));
  return parts;
}

function element(
  entity: MessageEntity,
  plain: string,
  children: ComponentChildren,
  actions: TextActions,
): ComponentChildren {
  switch (entity.type) {
    case 'bold':
      return html`<strong>${children}</strong>`;
    case 'italic':
      return html`<em>${children}</em>`;
    case 'underline':
      return html`<u>${children}</u>`;
    case 'strikethrough':
      return html`<s>${children}</s>`;
    case 'spoiler':
      return html`<${Spoiler}>${children}<//>`;
    case 'blockquote':
    case 'expandable_blockquote':
      return html`<blockquote>${children}</blockquote>`;
    case 'pre':
      return html`<pre tabindex="0" title="Copy" onClick=${() => actions.copy(plain)}>${plain}</pre>`;
    case 'code':
      return html`<code tabindex="0" title="Copy" onClick=${() => actions.copy(plain)}
        onKeyDown=${(event: { readonly key: string }) => event.key === 'Enter' && actions.copy(plain)}>${plain}</code>`;
    case 'bot_command':
      return html`<button type="button" class="inline-link" onClick=${() => actions.command(plain)}>${plain}</button>`;
    case 'url':
      return actions.link(plain, children) ?? children;
    case 'text_link':
      return actions.link(entity.url, children) ?? children;
    case 'mention':
    case 'hashtag':
    case 'cashtag':
    case 'text_mention':
    case 'email':
      return html`<span class="tag">${children}</span>`;
    default:
      return children;
  }
}

function Spoiler({ children }: { readonly children?: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return html`<span class=${open ? 'spoiler open' : 'spoiler'} onClick=${() => setOpen(true)}>${children}</span>`;
}

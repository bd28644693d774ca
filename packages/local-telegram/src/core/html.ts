import type { MessageEntity } from '@grammyjs/types';
import { badRequest } from './tg-error.ts';

/** Text without its tags, and the meaning of the tags. Offsets and lengths are UTF-16 units, as in the Bot API. */
export type FormattedText = { readonly text: string; readonly entities: readonly MessageEntity[] };

type OpenTag = { readonly name: string; readonly argument: string; readonly offset: number };
type Placed = { readonly entity: MessageEntity; readonly depth: number };

const TAGS: Readonly<Record<string, MessageEntity.CommonMessageEntity['type'] | 'a' | 'pre'>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'a',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  blockquote: 'blockquote',
};
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const SPACE = /[ \t\r\n\0\v]/;

/**
 * Reads `parse_mode: "HTML"`. Empty entities vanish; the rest is sorted by offset, longer first, outer before inner. Markup that Telegram
 * would refuse (unknown, unclosed or crossed tags) throws its 400, with byte offsets in UTF-8. So an escaping bug shows here and not in
 * production.
 *
 * Source of truth: `do_parse_html` in tdlib, td/telegram/MessageEntity.cpp.
 */
export function parseHtml(source: string): FormattedText {
  const open: OpenTag[] = [];
  const placed: Placed[] = [];
  let text = '';
  let at = 0;

  while (at < source.length) {
    const character = source[at];
    if (character === '&') {
      const reference = readReference(source, at);
      text += reference.character;
      at = reference.end;
    } else if (character !== '<') {
      text += character;
      at += 1;
    } else if (source[at + 1] === '/') {
      at = closeTag(at);
    } else {
      const tag = readStartTag(source, at);
      open.push({ name: tag.name, argument: tag.argument, offset: text.length });
      at = tag.end;
    }
  }
  const left = open.at(-1);
  if (left !== undefined) throw parseError(`Can't find end tag corresponding to start tag "${left.name}"`);
  return { text, entities: sortEntities(placed) };

  function closeTag(begin: number): number {
    const last = open.pop();
    if (last === undefined)
      throw parseError(`Unexpected end tag at byte offset ${byteOffset(source, begin)}`);
    let end = begin + 2;
    while (end < source.length && !SPACE.test(source[end] ?? '') && source[end] !== '>') end += 1;
    const name = source.slice(begin + 2, end).toLowerCase();
    while (end < source.length && SPACE.test(source[end] ?? '')) end += 1;
    if (source[end] !== '>') throw parseError(`Unclosed end tag at byte offset ${byteOffset(source, begin)}`);
    if (name !== '' && name !== last.name) {
      throw parseError(
        `Unmatched end tag at byte offset ${byteOffset(source, begin)}, expected "</${last.name}>", found "</${name}>"`,
      );
    }
    const length = text.length - last.offset;
    if (length > 0) {
      const entity = toEntity(last, text.slice(last.offset), length);
      if (entity !== undefined) placed.push({ entity, depth: open.length });
    }
    return end + 1;
  }
}

function readReference(source: string, at: number): { readonly character: string; readonly end: number } {
  const match = /^&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z]+));?/.exec(source.slice(at, at + 32));
  if (match !== null) {
    const named = match[3] === undefined ? undefined : NAMED[match[3]];
    if (named !== undefined) {
      return { character: named, end: at + match[0].length };
    }
    const code = match[1] === undefined ? Number(match[2] ?? 0) : Number.parseInt(match[1], 16);
    const isCharacter = code > 0 && code < 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (match[3] === undefined && isCharacter) {
      return { character: String.fromCodePoint(code), end: at + match[0].length };
    }
  }
  return { character: '&', end: at + 1 };
}

function readStartTag(source: string, begin: number): OpenTag & { readonly end: number } {
  const unclosed = () => parseError(`Unclosed start tag at byte offset ${byteOffset(source, begin)}`);
  let at = begin + 1;
  while (at < source.length && !SPACE.test(source[at] ?? '') && source[at] !== '>') at += 1;
  if (at >= source.length) throw unclosed();
  const name = source.slice(begin + 1, at).toLowerCase();
  if (TAGS[name] === undefined) {
    throw parseError(`Unsupported start tag "${name}" at byte offset ${byteOffset(source, begin)}`);
  }
  let argument = '';
  for (;;) {
    while (at < source.length && SPACE.test(source[at] ?? '')) at += 1;
    if (at >= source.length) throw unclosed();
    if (source[at] === '>') break;
    const attribute = readAttribute(source, at, name, begin);
    at = attribute.end;
    argument = attributeArgument(name, attribute.name, attribute.value) ?? argument;
  }
  if (name === 'span' && argument !== 'spoiler') {
    throw parseError(`Tag "span" must have class "tg-spoiler" at byte offset ${byteOffset(source, begin)}`);
  }
  return { name, argument, offset: begin, end: at + 1 };
}

function attributeArgument(tag: string, attribute: string, value: string): string | undefined {
  if (tag === 'a' && attribute === 'href') return value;
  if (tag === 'code' && attribute === 'class' && value.startsWith('language-')) return value.slice(9);
  if (tag === 'span' && attribute === 'class' && value.startsWith('tg-')) return value.slice(3);
  if (tag === 'blockquote' && attribute === 'expandable') return 'expandable';
  return undefined;
}

type Attribute = { readonly name: string; readonly value: string; readonly end: number };

function readAttribute(source: string, from: number, tag: string, tagBegin: number): Attribute {
  const where = `the tag "${tag}" at byte offset ${byteOffset(source, tagBegin)}`;
  let at = from;
  while (at < source.length && !/[ \t\r\n\0\v=>]/.test(source[at] ?? '')) at += 1;
  const name = source.slice(from, at);
  if (name === '') throw parseError(`Empty attribute name in ${where}`);
  while (at < source.length && SPACE.test(source[at] ?? '')) at += 1;
  if (source[at] !== '=') {
    // `<blockquote expandable>` is the one attribute without a value.
    if (name === 'expandable' && tag === 'blockquote') return { name, value: '', end: at };
    throw parseError(`Expected equal sign in declaration of an attribute of ${where}`);
  }
  at += 1;
  while (at < source.length && SPACE.test(source[at] ?? '')) at += 1;
  const quote = source[at];
  if (quote !== '"' && quote !== "'") {
    const token = /^[a-zA-Z0-9.-]*/.exec(source.slice(at))?.[0] ?? '';
    const end = at + token.length;
    if (end < source.length && source[end] !== '>' && !SPACE.test(source[end] ?? '')) {
      throw parseError(`Unexpected end of name token at byte offset ${byteOffset(source, at)}`);
    }
    return { name, value: token.toLowerCase(), end };
  }
  let value = '';
  at += 1;
  while (at < source.length && source[at] !== quote) {
    const piece =
      source[at] === '&' ? readReference(source, at) : { character: source[at] ?? '', end: at + 1 };
    value += piece.character;
    at = piece.end;
  }
  return { name, value, end: at + 1 };
}

function toEntity(tag: OpenTag, covered: string, length: number): MessageEntity | undefined {
  const range = { offset: tag.offset, length };
  const kind = TAGS[tag.name];
  if (kind === 'a') {
    const url = checkedUrl(tag.argument === '' ? covered : tag.argument);
    return url === undefined ? undefined : { type: 'text_link', ...range, url };
  }
  if (kind === 'pre') return { type: 'pre', ...range };
  if (kind === 'code' && tag.argument !== '') return { type: 'pre', ...range, language: tag.argument };
  if (kind === 'blockquote' && tag.argument !== '') return { type: 'expandable_blockquote', ...range };
  return kind === undefined ? undefined : { type: kind, ...range };
}

/** A link Telegram would keep, written its way (`http://` added, a bare host gets `/`); undefined drops the entity. */
function checkedUrl(raw: string): string | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(raw) ? raw : `http://${raw}`;
  if (!/^(?:https?|tg):\/\/[^\s]+$/i.test(withScheme)) return undefined;
  return URL.canParse(withScheme) ? new URL(withScheme).href : undefined;
}

function sortEntities(placed: readonly Placed[]): readonly MessageEntity[] {
  const sorted = [...placed]
    .sort(
      (a, b) => a.entity.offset - b.entity.offset || b.entity.length - a.entity.length || a.depth - b.depth,
    )
    .map((item) => item.entity);
  return mergePre(sorted);
}

/** `<pre><code class="language-x">` is one entity, and code or pre hold no other entity inside. */
function mergePre(entities: readonly MessageEntity[]): readonly MessageEntity[] {
  const kept: MessageEntity[] = [];
  for (const entity of entities) {
    const box = kept.at(-1);
    const isInsideCode =
      box !== undefined &&
      (box.type === 'pre' || box.type === 'code') &&
      entity.offset + entity.length <= box.offset + box.length;
    if (!isInsideCode) kept.push(entity);
    else if (entity.type === 'pre' && entity.length === box.length && box.type === 'pre') {
      kept[kept.length - 1] = entity;
    }
  }
  return kept;
}

function byteOffset(source: string, at: number): number {
  return new TextEncoder().encode(source.slice(0, at)).length;
}

function parseError(reason: string): Error {
  return badRequest(`can't parse entities: ${reason}`);
}

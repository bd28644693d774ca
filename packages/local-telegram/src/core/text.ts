import type { MessageEntity } from '@grammyjs/types';
import { findAutoEntities } from './auto-entities.ts';
import { type FormattedText, parseHtml } from './html.ts';
import { badRequest } from './tg-error.ts';

/** Telegram's limits, counted in UTF-16 units after the entities were parsed. */
export const MAX_TEXT = 4096;
export const MAX_CAPTION = 1024;

export type RawText = {
  readonly text: string;
  readonly parseMode: string | undefined;
  /** Entities given by the client; ignored when there is a parse mode, as in the Bot API. */
  readonly entities: unknown;
};

/**
 * Text as Telegram stores it: tags read, control characters turned to spaces, both ends trimmed, automatic entities added.
 * Throws the 400 of a bad tag or an unknown parse mode. Only HTML is understood: the product uses nothing else.
 */
export function formatText(raw: RawText): FormattedText {
  const parsed = parse(raw);
  const trimmed = trim(parsed);
  const auto = findAutoEntities(trimmed.text, trimmed.entities);
  const entities = [...trimmed.entities, ...auto].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return { text: trimmed.text, entities };
}

function parse(raw: RawText): FormattedText {
  const mode = raw.parseMode?.toLowerCase() ?? '';
  const text = raw.text.replaceAll('\r', '').replace(/\p{Cc}/gu, (c) => (c === '\n' || c === '\t' ? c : ' '));
  if (mode === 'html') return splitAroundCode(parseHtml(text));
  if (mode !== '' && mode !== 'none') throw badRequest('unsupported parse_mode');
  return { text, entities: givenEntities(raw.entities, text.length) };
}

const KNOWN = new Set(
  (
    'bold italic underline strikethrough spoiler blockquote expandable_blockquote code pre text_link mention hashtag ' +
    'cashtag bot_command url email'
  ).split(' '),
);

function givenEntities(raw: unknown, textLength: number): readonly MessageEntity[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) throw badRequest("can't parse entities: expected an Array");
  return raw.filter((item: unknown): item is MessageEntity => {
    const entity = item as Partial<MessageEntity> | null;
    if (entity === null || typeof entity !== 'object' || typeof entity.offset !== 'number') {
      throw badRequest("can't parse entities: expected an Object");
    }
    const length = entity.length ?? 0;
    return (
      KNOWN.has(entity.type ?? '') && length > 0 && entity.offset >= 0 && entity.offset + length <= textLength
    );
  });
}

const SPLITTABLE = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);

/** Bold and its like cannot contain code: Telegram cuts the code's range out of them. */
function splitAroundCode(formatted: FormattedText): FormattedText {
  const boxes = formatted.entities.filter((e) => e.type === 'code' || e.type === 'pre');
  if (boxes.length === 0) return formatted;
  const entities = formatted.entities.flatMap((entity) => {
    if (!SPLITTABLE.has(entity.type)) return [entity];
    let pieces = [entity];
    for (const box of boxes) pieces = pieces.flatMap((piece) => subtract(piece, box));
    return pieces;
  });
  return { text: formatted.text, entities };
}

function subtract(entity: MessageEntity, hole: MessageEntity): MessageEntity[] {
  const end = entity.offset + entity.length;
  const holeEnd = hole.offset + hole.length;
  if (hole.offset >= end || holeEnd <= entity.offset) return [entity];
  const before = { ...entity, length: hole.offset - entity.offset };
  const after = { ...entity, offset: holeEnd, length: end - holeEnd };
  return [before, after].filter((piece) => piece.length > 0);
}

function trim(formatted: FormattedText): FormattedText {
  const start = formatted.text.length - formatted.text.trimStart().length;
  const text = formatted.text.trim();
  if (text.length === formatted.text.length) return formatted;
  const entities = formatted.entities.flatMap((entity) => {
    const offset = Math.max(0, entity.offset - start);
    const end = Math.min(text.length, entity.offset + entity.length - start);
    return end > offset ? [{ ...entity, offset, length: end - offset }] : [];
  });
  return { text, entities };
}

import type { Message } from 'grammy/types';
import { holdsAddress } from '../ui/holds-address.ts';
import { CONTENTS, type Content } from './message-kinds.ts';

/** The kind of a message's content; null for a kind that no release knew when this was written. */
export function contentOf(message: Partial<Message>): Content | null {
  return ORDER.find((content) => message[content] !== undefined) ?? null;
}

const isContent = (field: string): field is Content => field in CONTENTS;
const ORDER = Object.keys(CONTENTS).filter(isContent);

/** The words of a message: its text, or those under its picture or file; empty for the rest. */
export const saidIn = (message: Partial<Message> | undefined): string =>
  (message?.text ?? message?.caption ?? '').trim();

/**
 * The first link behind the words of a message that holds an address; null where there is none. The words in front of a link may show
 * another address: only its target counts.
 */
export function linkBehind(message: Partial<Message> | undefined): string | null {
  const entities = message?.entities ?? message?.caption_entities ?? [];
  for (const entity of entities) {
    if (entity.type === 'text_link' && holdsAddress(entity.url)) return entity.url;
  }
  return null;
}

/** The search in a message: the link behind its words, else the words. */
export const askedFor = (message: Partial<Message> | undefined): string =>
  linkBehind(message) ?? saidIn(message);

import type { Message } from 'grammy/types';
import { holdsAddress } from '../ui/holds-address.ts';
import { CONTENTS, type Content } from './message-kinds.ts';

/** What a message is made of; null for a kind that no release knew when this was written. */
export function contentOf(message: Partial<Message>): Content | null {
  return ORDER.find((content) => message[content] !== undefined) ?? null;
}

const isContent = (field: string): field is Content => field in CONTENTS;
const ORDER = Object.keys(CONTENTS).filter(isContent);

/** What a message says: its text, or the words under what it shows; empty for the rest. */
export const saidIn = (message: Partial<Message> | undefined): string =>
  (message?.text ?? message?.caption ?? '').trim();

/**
 * The first link behind the words of a message that holds an address; null where there is none. The words in front of a link may
 * say another address: what counts is where it leads.
 */
export function linkBehind(message: Partial<Message> | undefined): string | null {
  const entities = message?.entities ?? message?.caption_entities ?? [];
  for (const entity of entities) {
    if (entity.type === 'text_link' && holdsAddress(entity.url)) return entity.url;
  }
  return null;
}

/** What a message asks to look up: the link behind its words, else the words. */
export const askedFor = (message: Partial<Message> | undefined): string =>
  linkBehind(message) ?? saidIn(message);

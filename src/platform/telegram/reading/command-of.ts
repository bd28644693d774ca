import type { Message } from 'grammy/types';
import { saidIn } from './said.ts';

export type GivenCommand = {
  /** In lower case. */
  readonly name: string;
  /** The bot's name behind `@`, in lower case; null where there is none. */
  readonly to: string | null;
  /** The words behind the command. */
  readonly rest: string;
};

const SHAPE = /^\/([a-z0-9_]{1,64})(?:@([a-z0-9_]{1,64}))?(?:\s+|$)/i;

/**
 * The command that a message begins with, in its text or its caption, in any case and with or without a bot's name; null for every
 * other message. In a private chat the name behind `@` changes nothing: no other bot reads it, and a bot may have been renamed.
 */
export function commandOf(message: Partial<Message> | undefined): GivenCommand | null {
  const words = saidIn(message);
  const match = SHAPE.exec(words);
  if (match === null) return null;
  const [head, name = '', to] = match;
  return { name: name.toLowerCase(), to: to?.toLowerCase() ?? null, rest: words.slice(head.length).trim() };
}

import type { Message } from 'grammy/types';
import { type Borrowed, ENVELOPE } from './message-kinds.ts';

/**
 * Whose words a message is made of where they are not its sender's own: forwarded, quoted from elsewhere, or written by another bot.
 * Null where the person wrote it here.
 */
export function borrowedBy(message: Partial<Message>): Borrowed | null {
  for (const [field, means] of Object.entries(ENVELOPE)) {
    if (means !== 'plain' && means !== 'chat' && Reflect.get(message, field) !== undefined) return means;
  }
  return null;
}

/**
 * Whether the person wrote this message here. Acts without a question (auto-buy, acting commands, answers to questions and secrets) take
 * authored words alone.
 */
export const authored = (message: Partial<Message>): boolean => borrowedBy(message) === null;

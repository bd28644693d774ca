import type { Config } from '../config/index.ts';
import { secretFromFile, secretFromText } from '../platform/api-keys/secret-file.ts';
import { createChatSeals, ownChatSeals } from '../platform/chat-seals.ts';
import type { ChatSeals } from '../platform/ports/chat-seals.ts';

/**
 * The seals of buttons and dialogues: the configuration's keys, or that of the state folder. Without either, this process's own: its
 * buttons are old after a restart. Throws CONFIG_INVALID for a file that holds no key.
 */
export function openChatSeals({ chatKeys, production, local }: Config): ChatSeals {
  if (chatKeys !== null) {
    const [current, ...former] = chatKeys;
    const read = (text: string): Uint8Array => secretFromText(text, 'CHAT_KEY');
    return createChatSeals([read(current), ...former.map(read)]);
  }
  const kept = production ? null : secretFromFile(`${local.dir}/chat-key`);
  return kept === null ? ownChatSeals() : createChatSeals([kept]);
}

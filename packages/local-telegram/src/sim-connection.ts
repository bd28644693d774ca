import type { User } from '@grammyjs/types';
import type { SentContent } from './core/people.ts';
import type { TelegramCore } from './core/telegram-core.ts';
import { type PersonState, personState } from './http/sim-state.ts';

/** How a driver reaches the server: within the process, or over HTTP. */
export interface SimConnection {
  readonly meet: (user: User) => Promise<void>;
  readonly say: (userId: number, text: string) => Promise<void>;
  readonly sendPhoto: (userId: number, bytes: Uint8Array, caption: string) => Promise<void>;
  readonly send: (userId: number, content: SentContent) => Promise<void>;
  readonly start: (userId: number, payload: string | undefined) => Promise<void>;
  readonly tap: (userId: number, messageId: number, data: string) => Promise<void>;
  readonly block: (userId: number, blocked: boolean) => Promise<void>;
  readonly read: (userId: number, after: number, waitMs: number) => Promise<PersonState>;
  readonly file: (fileId: string) => Promise<Uint8Array>;
}

export function connectInProcess(core: TelegramCore): SimConnection {
  return {
    meet: async (user) => core.people.meet(user),
    say: async (userId, text) => void core.people.say(userId, text),
    sendPhoto: async (userId, bytes, caption) => void core.people.sendPhoto(userId, bytes, caption),
    send: async (userId, content) => void core.people.send(userId, content),
    start: async (userId, payload) => void core.people.start(userId, payload),
    tap: async (userId, messageId, data) => void core.people.tap(userId, messageId, data),
    block: async (userId, blocked) => core.people.block(userId, blocked),
    read: async (userId, after, waitMs) => {
      const state = await personState(core, userId, after, waitMs);
      if (state === undefined) throw new Error(`There is no person ${userId} here.`);
      return state;
    },
    file: async (fileId) => {
      const file = core.world.files.get(fileId);
      if (file === undefined) throw new Error(`There is no file ${fileId}.`);
      return file.bytes;
    },
  };
}

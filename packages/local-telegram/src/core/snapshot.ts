import type { BotCommand, MenuButton, User } from '@grammyjs/types';
import { type Chat, type ChatMessage, createChat } from './chat.ts';
import type { AllowedKind, Pending } from './update-queue.ts';
import type { WebhookSettings } from './webhook.ts';
import type { Profile, World } from './world.ts';

/** Bumped when the shape changes; an older snapshot is then left aside. */
export const SNAPSHOT_VERSION = 1;

export type ServerSnapshot = {
  readonly version: number;
  readonly nextUpdateId: number;
  readonly nextMessageId: number;
  readonly allowed: readonly AllowedKind[];
  readonly pending: readonly Pending[];
  readonly webhook: WebhookSettings | undefined;
  readonly commands: readonly (readonly [string, readonly BotCommand[]])[];
  readonly names: readonly (readonly [string, string])[];
  readonly descriptions: readonly (readonly [string, string])[];
  readonly shortDescriptions: readonly (readonly [string, string])[];
  readonly menuButtons: readonly (readonly [number, MenuButton])[];
};

export type ChatSnapshot = {
  readonly version: number;
  readonly user: User;
  readonly started: boolean;
  readonly blocked: boolean;
  readonly pinnedId?: number;
  readonly messages: readonly ChatMessage[];
};

/**
 * How far ids jump at a restart. A snapshot may be some milliseconds behind a killed server: without the jump an id of those milliseconds
 * would be given out again. The bot would drop the new update as one it already knows.
 */
export const ID_JUMP = 10_000;

export function snapshotServer(world: World, nextMessageId: number): ServerSnapshot {
  const { profile, queue } = world;
  return {
    version: SNAPSHOT_VERSION,
    nextUpdateId: queue.nextId(),
    nextMessageId,
    allowed: queue.allowed(),
    pending: [...queue.pending()],
    webhook: world.webhook.settings(),
    commands: [...profile.commands],
    names: [...profile.names],
    descriptions: [...profile.descriptions],
    shortDescriptions: [...profile.shortDescriptions],
    menuButtons: [...profile.menuButtons],
  };
}

export function snapshotChat(chat: Chat): ChatSnapshot {
  return {
    version: SNAPSHOT_VERSION,
    user: chat.user,
    started: chat.started,
    blocked: chat.blocked,
    ...(chat.pinnedId === undefined ? {} : { pinnedId: chat.pinnedId }),
    messages: [...chat.messages.values()],
  };
}

export function restoreChat(saved: ChatSnapshot): Chat {
  const chat = createChat(saved.user);
  chat.started = saved.started;
  chat.blocked = saved.blocked;
  chat.pinnedId = saved.pinnedId;
  for (const item of saved.messages) chat.messages.set(item.message.message_id, item);
  return chat;
}

export function emptyProfile(): Profile {
  return {
    commands: new Map(),
    names: new Map(),
    descriptions: new Map(),
    shortDescriptions: new Map(),
    menuButtons: new Map(),
  };
}

export function restoreProfile(profile: Profile, saved: ServerSnapshot): void {
  for (const [key, value] of saved.commands) profile.commands.set(key, value);
  for (const [key, value] of saved.names) profile.names.set(key, value);
  for (const [key, value] of saved.descriptions) profile.descriptions.set(key, value);
  for (const [key, value] of saved.shortDescriptions) profile.shortDescriptions.set(key, value);
  for (const [key, value] of saved.menuButtons) profile.menuButtons.set(key, value);
}

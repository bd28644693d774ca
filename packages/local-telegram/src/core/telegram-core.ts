import type { ApiMethods, UserFromGetMe } from '@grammyjs/types';
import type { MethodName, RawArgs, Upload } from './args.ts';
import type { Chat } from './chat.ts';
import { type Clock, createSkippingClock } from './clock.ts';
import { type CallRecord, createEventLog } from './events.ts';
import { createFaultPlan, type FaultPlan } from './faults.ts';
import { createFileShelf } from './files.ts';
import type { CallExtras, Result } from './methods/handler.ts';
import { methodName, runMethod } from './methods/index.ts';
import { createPeople, type People } from './people.ts';
import {
  type ChatSnapshot,
  emptyProfile,
  ID_JUMP,
  restoreChat,
  restoreProfile,
  type ServerSnapshot,
  snapshotChat,
  snapshotServer,
} from './snapshot.ts';
import { TgError, type TgErrorParameters } from './tg-error.ts';
import { createUpdateQueue } from './update-queue.ts';
import { createWebhook, type PostUpdate } from './webhook.ts';
import type { World } from './world.ts';

/** How a call ended. `drop`: it was carried out, but the connection is to be cut instead of answered. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown; readonly drop: boolean }
  | {
      readonly ok: false;
      readonly code: number;
      readonly description: string;
      readonly parameters: TgErrorParameters | undefined;
    };

export interface TelegramCore {
  readonly world: World;
  readonly people: People;
  readonly faults: FaultPlan;
  /** Carries out a method as a bot's HTTP request would. Never rejects. */
  readonly invoke: (
    method: string,
    args: RawArgs,
    uploads?: ReadonlyMap<string, Upload>,
    signal?: AbortSignal,
  ) => Promise<Outcome>;
  /** The same for tests: typed, returns the result, rejects with TgError. */
  readonly call: <M extends MethodName>(
    method: M,
    args?: Parameters<ApiMethods<Upload>[M]>[0],
    uploads?: ReadonlyMap<string, Upload>,
  ) => Promise<Result<M>>;
  readonly recentCalls: () => readonly CallRecord[];
  readonly skipTime: (ms: number) => void;
  /** Forgets chats, files, waiting updates and faults; people and the bot's profile stay, ids go on counting. */
  readonly reset: () => void;
  readonly snapshotServer: () => ServerSnapshot;
  readonly snapshotChat: (chatId: number) => ChatSnapshot | undefined;
  readonly stop: () => void;
}

export type CoreDeps = {
  readonly clock: Clock;
  /** Unguessable text of `[A-Za-z0-9_-]`, of the length asked for. */
  readonly random: (length: number) => string;
  readonly bot: UserFromGetMe;
  readonly post: PostUpdate;
  /** Called with each chat (0: everything else) that differs from its last saved state. */
  readonly touched?: (chatId: number) => void;
  readonly saved?: { readonly server: ServerSnapshot; readonly chats: readonly ChatSnapshot[] };
  /** Where update ids begin without a snapshot. */
  readonly firstUpdateId?: number;
};

const REMEMBERED_CALLS = 200;

/** A whole Telegram for one bot, without HTTP, disk, clock or randomness of its own. */
export function createTelegramCore(deps: CoreDeps): TelegramCore {
  const clock = createSkippingClock(deps.clock);
  const touch = deps.touched ?? (() => undefined);
  const { saved } = deps;
  const queue = createUpdateQueue(clock, deps.firstUpdateId ?? 100_000_000, () => touch(0));
  const webhook = createWebhook({ clock, queue, post: deps.post, execute });
  const faults = createFaultPlan();
  const calls: CallRecord[] = [];
  let messageId = saved === undefined ? 0 : saved.server.nextMessageId + ID_JUMP;

  const world: World = {
    bot: deps.bot,
    clock,
    random: deps.random,
    chats: new Map<number, Chat>(),
    groups: new Map<number, Chat>(),
    callbacks: new Map(),
    profile: emptyProfile(),
    files: createFileShelf(deps.random),
    queue,
    webhook,
    events: createEventLog(clock.now() * 1000),
    nextMessageId: () => {
      messageId += 1;
      return messageId;
    },
    touch,
  };
  if (saved !== undefined) {
    for (const chat of saved.chats) world.chats.set(chat.user.id, restoreChat(chat));
    restoreProfile(world.profile, saved.server);
    queue.restore(saved.server.nextUpdateId + ID_JUMP, saved.server.pending);
    queue.setAllowed(saved.server.allowed);
    if (saved.server.webhook !== undefined) webhook.set(saved.server.webhook);
  }

  function record(method: string, args: RawArgs, error: string | undefined): void {
    if (method === 'getUpdates' && error === undefined) return;
    const call = { at: clock.now(), method, args, ...(error === undefined ? {} : { error }) };
    calls.push(call);
    if (calls.length > REMEMBERED_CALLS * 2) calls.splice(0, REMEMBERED_CALLS);
    world.events.emit({ kind: 'call', call });
  }

  async function invoke(
    method: string,
    args: RawArgs,
    uploads: ReadonlyMap<string, Upload> = new Map(),
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const name = methodName(method) ?? method;
    const extras: CallExtras = { uploads, ...(signal === undefined ? {} : { signal }) };
    try {
      const fault = faults.take(name, args['chat_id'] === undefined ? undefined : Number(args['chat_id']));
      if (fault?.delayMs !== undefined) await pause(clock, fault.delayMs);
      if (fault?.code !== undefined) {
        const retryAfter = fault.retryAfterSeconds;
        throw new TgError(
          fault.code,
          fault.description ?? defaultDescription(fault.code, retryAfter),
          retryAfter === undefined ? undefined : { retry_after: retryAfter },
        );
      }
      const result = await runMethod(world, name, args, extras);
      record(name, args, undefined);
      return { ok: true, result, drop: fault?.dropResponse === true };
    } catch (error) {
      if (!(error instanceof TgError)) throw error;
      record(name, args, error.description);
      return { ok: false, code: error.code, description: error.description, parameters: error.parameters };
    }
  }

  /** A webhook's answer may itself be a call: `{"method": "sendMessage", …}`. Anything else is ignored, as Telegram does. */
  function execute(body: string): void {
    try {
      const parsed: unknown = JSON.parse(body);
      if (typeof parsed !== 'object' || parsed === null || !('method' in parsed)) return;
      const { method, ...args } = parsed;
      if (typeof method === 'string') void invoke(method, args);
    } catch {
      return;
    }
  }

  return {
    world,
    people: createPeople(world),
    faults,
    invoke,
    call: async (method, args, uploads) => {
      const outcome = await invoke(method, (args ?? {}) as RawArgs, uploads);
      if (!outcome.ok) throw new TgError(outcome.code, outcome.description, outcome.parameters);
      return outcome.result as never;
    },
    recentCalls: () => calls.slice(-REMEMBERED_CALLS),
    skipTime: clock.skip,
    reset: () => {
      queue.clear();
      faults.clear();
      queue.setCopies(1);
      world.callbacks.clear();
      world.groups.clear();
      world.files.clear();
      calls.length = 0;
      for (const chat of world.chats.values()) {
        chat.messages.clear();
        chat.started = false;
        chat.blocked = false;
        chat.pinnedId = undefined;
        touch(chat.user.id);
      }
      touch(0);
      world.events.emit({ kind: 'reset' });
    },
    snapshotServer: () => snapshotServer(world, messageId),
    snapshotChat: (chatId) => {
      const chat = world.chats.get(chatId);
      return chat === undefined ? undefined : snapshotChat(chat);
    },
    stop: () => {
      webhook.stop();
      queue.close();
    },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function defaultDescription(code: number, retryAfterSeconds: number | undefined): string {
  if (code === 429) return `Too Many Requests: retry after ${retryAfterSeconds ?? 1}`;
  if (code === 403) return 'Forbidden: bot was blocked by the user';
  if (code >= 500) return 'Internal Server Error';
  return 'Bad Request: planned failure';
}

import type { ConversationContextStorage, ConversationData, VersionedState } from '@grammyjs/conversations';
import type { DialogStore } from '../../ports/dialog-store.ts';
import type { BotContext } from '../context.ts';

/** A dialogue outlives its fifteen minutes only for the message that they are over. */
const TTL_SECONDS = 86_400;
const MAX_BYTES = 64 * 1024;

export type DialogStorage = ConversationContextStorage<BotContext, ConversationData> & {
  /** True when this update found a dialogue of another release, which cannot be continued. */
  readonly wasOutdated: (ctx: BotContext) => boolean;
};

/**
 * Dialogue state under the person's own id, fenced by the revision that was read: a handler that outlived its lock cannot
 * write over a later one. The plugin's default key is the chat, which updates without a chat would share. Throws for an
 * update without a person, for more than 64 kB, and when another handler wrote first.
 */
export function createDialogStorage(input: {
  readonly dialogs: Pick<DialogStore, 'read' | 'write' | 'delete'>;
  readonly botId: () => number;
  readonly version: string;
}): DialogStorage {
  const revisions = new WeakMap<BotContext, number>();
  const outdated = new WeakSet<BotContext>();
  const key = (ctx: BotContext): string => {
    if (ctx.from === undefined) throw new Error('a dialogue needs a person');
    return `convo:${input.botId()}:${ctx.from.id}`;
  };
  return {
    type: 'context',
    version: input.version,
    wasOutdated: (ctx) => outdated.has(ctx),
    adapter: {
      read: async (ctx) => {
        const row = await input.dialogs.read(key(ctx));
        revisions.set(ctx, row?.revision ?? 0);
        if (row === null) return undefined;
        const state = parseState(row.value);
        if (state === null || state.version[1] !== input.version) {
          outdated.add(ctx);
          // Deleted now: the plugin only ignores it, and would never clear the row.
          await input.dialogs.delete(key(ctx));
          revisions.set(ctx, 0);
          return undefined;
        }
        return state;
      },
      write: async (ctx, state) => {
        const value = JSON.stringify(state);
        if (Buffer.byteLength(value) > MAX_BYTES) throw new Error('the dialogue is larger than 64 kB');
        const revision = revisions.get(ctx) ?? 0;
        if (!(await input.dialogs.write(key(ctx), revision, value, TTL_SECONDS))) {
          throw new Error('another handler wrote this dialogue first');
        }
        revisions.set(ctx, revision + 1);
      },
      delete: (ctx) => input.dialogs.delete(key(ctx)),
    },
  };
}

function parseState(text: string): VersionedState<ConversationData> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isVersioned(value) ? value : null;
  } catch {
    return null;
  }
}

/** The rest of it is the plugin's own, and of this release: the version says so. */
function isVersioned(value: unknown): value is VersionedState<ConversationData> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    'state' in value &&
    Array.isArray(value.version)
  );
}

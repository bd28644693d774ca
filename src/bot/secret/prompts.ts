import type { Clock } from '../../core/ports/clock.ts';
import type { DialogStore } from '../../core/ports/dialog-store.ts';
import type { BotContext } from '../context.ts';
import { fromPlainJson, toPlainJson } from '../ui/plain-json.ts';

/** What a person answered, after their message was deleted. Never stored, never logged. */
export type Secret =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly fileId: string; readonly bytes: number };

export type SecretHandler = (ctx: BotContext, secret: Secret, payload: unknown) => Promise<unknown>;

/** A question whose answer is a secret and waits: who takes the answer, and what it is about. Holds no secret itself. */
export type SecretPrompt = { readonly to: string; readonly payload: unknown; readonly expired: boolean };

/**
 * Questions for PINs, passphrases and keys. They live outside the dialogues, which store every text that is typed into
 * them; here the store knows only that somebody was asked. One question per person: a new one replaces the old.
 */
export interface SecretPrompts {
  /** The next message of this person goes to `<feature>:<name>`. */
  ask(ctx: BotContext, to: string, payload: unknown, ttlMs?: number): Promise<void>;
  /** The question that waits, taken away: the next message is an ordinary one again. */
  take(ctx: BotContext): Promise<SecretPrompt | null>;
}

const ANSWER_WITHIN_MS = 5 * 60_000;
/** After its time a question is kept so long, to keep a late answer out of the chat. */
const KEPT_SECONDS = 86_400;

export function createSecretPrompts(deps: {
  readonly dialogs: Pick<DialogStore, 'read' | 'write' | 'delete'>;
  readonly clock: Clock;
}): SecretPrompts {
  const key = (ctx: BotContext): string => {
    if (ctx.from === undefined) throw new Error('a secret needs a person');
    return `secret:${ctx.me.id}:${ctx.from.id}`;
  };
  return {
    ask: async (ctx, to, payload, ttlMs = ANSWER_WITHIN_MS) => {
      const value = JSON.stringify({ to, payload: toPlainJson(payload), until: deps.clock.now() + ttlMs });
      const standing = await deps.dialogs.read(key(ctx));
      const written = await deps.dialogs.write(key(ctx), standing?.revision ?? 0, value, KEPT_SECONDS);
      if (!written) throw new Error('another handler asked this person first');
    },
    take: async (ctx) => {
      const row = await deps.dialogs.read(key(ctx));
      if (row === null) return null;
      await deps.dialogs.delete(key(ctx));
      return parse(row.value, deps.clock.now());
    },
  };
}

function parse(text: string, now: number): SecretPrompt | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('to' in value) || !('until' in value)) return null;
  if (typeof value.to !== 'string' || typeof value.until !== 'number') return null;
  const payload = 'payload' in value ? fromPlainJson(value.payload) : null;
  return { to: value.to, payload, expired: value.until <= now };
}

import type { Declared } from '../../../modules/guard/rules/acts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DialogStore } from '../../ports/dialog-store.ts';
import type { BotContext } from '../context.ts';
import { fromPlainJson, toPlainJson } from '../ui/plain-json.ts';

/** A person's answer, after their message was deleted. Never stored, never logged. */
export type Secret =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly fileId: string; readonly bytes: number };

/** The taker of an answer, and its act. */
export type SecretTaker = { readonly act: Declared; readonly run: SecretHandler };

export type SecretHandler = (ctx: BotContext, secret: Secret, payload: unknown) => Promise<unknown>;

/** A question whose answer is a secret: the taker of the answer, and its subject. Holds no secret itself. */
export type SecretPrompt = {
  readonly to: string;
  readonly payload: unknown;
  readonly expired: boolean;
  readonly revision: number;
};

/** A person's state with secrets. `after`: a question was answered or left a moment ago, and an answer may come again. */
export type SecretState =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly prompt: SecretPrompt }
  | { readonly kind: 'after'; readonly isTold: boolean; readonly revision: number };

/**
 * Questions for PINs, passphrases and keys. They live outside the dialogues, which store every text that is typed into them; here the store
 * knows only that a person was asked. One question per person: a new one replaces the old. A question stays until its answer was dealt
 * with. So a process that dies over an answer can be given it again.
 */
export interface SecretPrompts {
  /** The next message of this person goes to `<feature>:<name>`. */
  ask(ctx: BotContext, to: string, payload: unknown, ttlMs?: number): Promise<void>;
  standing(ctx: BotContext): Promise<SecretState>;
  /** The question of that revision is over; a newer one stays. */
  end(ctx: BotContext, revision: number): Promise<void>;
  /** Notes that the person knows why a message of theirs went. */
  told(ctx: BotContext, revision: number): Promise<void>;
  /** Keeps a mark of the answer, in this process alone, to recognize it when it is sent once more. */
  remember(ctx: BotContext, text: string): Promise<void>;
  /** Whether the person answered exactly this a moment ago. Never asked about PINs: a guesser must not learn by it. */
  isRemembered(ctx: BotContext, text: string): Promise<boolean>;
}

const ANSWER_WITHIN_MS = 5 * 60_000;
/** After its time a question is kept so long, to keep a late answer out of the chat. */
const KEPT_SECONDS = 86_400;
/** An answer that is sent twice comes within this. */
const AFTER_SECONDS = 600;
const MAX_MARKS = 1_000;
const SHORTEST_MARKED = 8;

export function createSecretPrompts(deps: {
  readonly dialogs: Pick<DialogStore, 'read' | 'write'>;
  readonly clock: Clock;
}): SecretPrompts {
  const marks = new Map<string, { readonly mark: string; readonly until: number }>();
  const salt = globalThis.crypto.getRandomValues(new Uint8Array(32));
  const markOf = async (text: string): Promise<string> => {
    const bytes = new Uint8Array([...salt, ...new TextEncoder().encode(text.trim())]);
    return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)).join();
  };
  const key = (ctx: BotContext): string => {
    if (ctx.from === undefined) throw new Error('a secret needs a person');
    return `secret:${ctx.me.id}:${ctx.from.id}`;
  };
  const after = (ctx: BotContext, revision: number, isTold: boolean): Promise<boolean> => {
    const until = deps.clock.now() + AFTER_SECONDS * 1_000;
    // Refused when there is a newer question: that one counts.
    return deps.dialogs.write(key(ctx), revision, JSON.stringify({ after: isTold, until }), AFTER_SECONDS);
  };
  return {
    ask: async (ctx, to, payload, ttlMs = ANSWER_WITHIN_MS) => {
      const value = JSON.stringify({ to, payload: toPlainJson(payload), until: deps.clock.now() + ttlMs });
      const standing = await deps.dialogs.read(key(ctx));
      const written = await deps.dialogs.write(key(ctx), standing?.revision ?? 0, value, KEPT_SECONDS);
      if (!written) throw new Error('another handler asked this person first');
    },
    standing: async (ctx) => {
      const row = await deps.dialogs.read(key(ctx));
      return row === null ? { kind: 'none' } : parse(row, deps.clock.now());
    },
    end: async (ctx, revision) => void (await after(ctx, revision, false)),
    told: async (ctx, revision) => void (await after(ctx, revision, true)),
    remember: async (ctx, text) => {
      // A word that is as short may be anybody's next answer to something else.
      if (text.trim().length < SHORTEST_MARKED) return;
      if (marks.size >= MAX_MARKS) marks.clear();
      marks.set(key(ctx), {
        mark: await markOf(text),
        until: deps.clock.now() + AFTER_SECONDS * 1_000,
      });
    },
    isRemembered: async (ctx, text) => {
      const known = marks.get(key(ctx));
      return known !== undefined && known.until > deps.clock.now() && known.mark === (await markOf(text));
    },
  };
}

function parse(row: { readonly revision: number; readonly value: string }, now: number): SecretState {
  const value: unknown = JSON.parse(row.value);
  if (typeof value !== 'object' || value === null || !('until' in value)) return { kind: 'none' };
  if (typeof value.until !== 'number') return { kind: 'none' };
  if ('after' in value) {
    return value.until <= now
      ? { kind: 'none' }
      : { kind: 'after', isTold: value.after === true, revision: row.revision };
  }
  if (!('to' in value) || typeof value.to !== 'string') return { kind: 'none' };
  const payload = 'payload' in value ? fromPlainJson(value.payload) : null;
  const prompt = { to: value.to, payload, expired: value.until <= now, revision: row.revision };
  return { kind: 'waiting', prompt };
}

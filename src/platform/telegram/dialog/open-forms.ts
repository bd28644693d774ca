import type { DialogStore } from '../../ports/dialog-store.ts';
import type { BotContext } from '../context.ts';

/** A form that reads typed text: its feature, and the state behind its buttons. */
export type OpenForm = { readonly feature: string; readonly id: string };

/**
 * The form that a person has before them. A typed text goes to it, until something else is tapped or sent. Holds no text: the state behind
 * the form's buttons says its subject, and its end is the form's end.
 */
export interface OpenForms {
  /** The next typed text goes to this form. One form per person: a later one replaces it. */
  open(ctx: BotContext, form: OpenForm): Promise<void>;
  standing(ctx: BotContext): Promise<OpenForm | null>;
  /** The update was handled. A form that it did not open is closed. */
  settle(ctx: BotContext): Promise<void>;
}

/** As long as the buttons of a form work. */
const KEPT_SECONDS = 86_400;

export function createOpenForms(deps: {
  readonly dialogs: Pick<DialogStore, 'read' | 'write' | 'delete'>;
}): OpenForms {
  const opened = new WeakSet<BotContext>();
  const key = (ctx: BotContext): string => {
    if (ctx.from === undefined) throw new Error('a form needs a person');
    return `form:${ctx.me.id}:${ctx.from.id}`;
  };
  return {
    open: async (ctx, { feature, id }) => {
      opened.add(ctx);
      const before = await deps.dialogs.read(key(ctx));
      const value = JSON.stringify({ feature, id });
      const written = await deps.dialogs.write(key(ctx), before?.revision ?? 0, value, KEPT_SECONDS);
      if (!written) throw new Error('another handler opened a form of this person first');
    },
    standing: async (ctx) => {
      const row = await deps.dialogs.read(key(ctx));
      return row === null ? null : parse(row.value);
    },
    settle: async (ctx) => {
      if (opened.has(ctx) || (await deps.dialogs.read(key(ctx))) === null) return;
      await deps.dialogs.delete(key(ctx));
    },
  };
}

function parse(text: string): OpenForm | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('feature' in value) || !('id' in value)) return null;
  const { feature, id } = value;
  return typeof feature === 'string' && typeof id === 'string' ? { feature, id } : null;
}

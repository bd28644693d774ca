import type { Conversation } from '@grammyjs/conversations';
import type { Context } from 'grammy';
import type { z } from 'zod';
import type { Declared } from '../../../modules/guard/rules/acts.ts';
import type { BotContext } from '../context.ts';
import type { Html } from '../ui/html.ts';
import type { View } from '../ui/screen.ts';

export type Answer<D> =
  | {
      readonly kind: 'taken';
      /** The content of the answer, read once: its own value and, with a picture's caption, another one. */
      readonly draft: Partial<D>;
    }
  /** Not acceptable: names the expected input. The dialogue goes on. */
  | { readonly kind: 'refused'; readonly why: Html };

/** One question of a dialogue. `draft` holds the values at its start and the answers before. */
export type Step<D> = {
  readonly key: keyof D & string;
  readonly skip?: (draft: D) => boolean;
  readonly ask: (ctx: BotContext, draft: D) => View | Promise<View>;
  /** Reads a typed text. May look things up; an AppError counts as a refusal and is worded as everywhere else. */
  readonly read: (ctx: BotContext, text: string, draft: D) => Answer<D> | Promise<Answer<D>>;
  /** Buttons of the question, `form:<name>`, and the text that each means. */
  readonly choices?: Readonly<Record<string, string>> | ((draft: D) => Readonly<Record<string, string>>);
  /** Reads a picture sent as a photo or as a file. Without it only text is taken. */
  readonly readPicture?: (ctx: BotContext, picture: SentPicture, draft: D) => Promise<Answer<D>>;
  /** Characters that a typed answer may have; 512 unless said. */
  readonly maxText?: number;
  /** A pasted mint address is this question's answer, so it does not open the trade card. */
  readonly takesAddresses?: boolean;
};

/** A picture in a message, not yet downloaded. */
export type SentPicture = {
  readonly fileId: string;
  /** As Telegram says; 0 when it does not. */
  readonly bytes: number;
  readonly caption: string;
};

/**
 * Which questions are asked: all from `begin` on, or `only` one alone, after which (or after Back) the dialogue is finished
 * with everything else as it was.
 */
export type Position<D> = { readonly begin?: keyof D & string; readonly only?: keyof D & string };

/**
 * A dialogue that collects input and nothing else: at most ten questions, fifteen minutes per answer. The answers take effect in `finish`,
 * once, and move no money: at most it shows a confirm screen. `D` is the draft while it runs, `W` the whole when every question was
 * answered.
 */
export type FormSpec<D extends object, W extends D> = {
  readonly id: string;
  /** Raised with every change to the questions: a waiting dialogue of another version has to start again. */
  readonly version: number;
  /** The act of its last answer. */
  readonly act: Declared;
  /** Between answers the draft waits as JSON; this reads it back. */
  readonly draft: z.ZodType<D, unknown>;
  readonly whole: z.ZodType<W, unknown>;
  readonly steps: readonly Step<NoInfer<D>>[];
  readonly finish: (ctx: BotContext, whole: NoInfer<W>, asked: { readonly only: boolean }) => Promise<void>;
};

/** The values at the start of a dialogue, as it waits between updates: plain JSON. */
export type Entry = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly begin?: string;
  readonly only?: string;
};

/** A dialogue that can be entered with a draft of its own type (`enterForm`), ready for the plugin. */
export type Form<D = never> = {
  readonly id: string;
  readonly act: Declared;
  readonly version: number;
  entry(draft: D, position?: Position<D>): Entry;
  readonly run: (
    conversation: Conversation<BotContext, Context>,
    ctx: Context,
    entry: Entry,
  ) => Promise<void>;
};

export const MAX_STEPS = 10;
export const ANSWER_WITHIN_MS = 15 * 60_000;

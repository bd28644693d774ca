import type { BotContext } from '../context.ts';
import type { Html } from '../ui/html.ts';
import type { View } from '../ui/screen.ts';

/** What was collected so far: plain texts under the steps' keys, beside what the dialogue was entered with. */
export type Answers = Readonly<Record<string, string>>;

export type Answer =
  | {
      readonly kind: 'taken';
      readonly value: string;
      /** Answers to other questions that came with it: a picture's caption. */
      readonly also?: Answers;
    }
  /** Not acceptable: says what is expected. The dialogue goes on. */
  | { readonly kind: 'refused'; readonly why: Html };

/** One question of a dialogue. */
export type Step = {
  readonly key: string;
  readonly skip?: (answers: Answers) => boolean;
  readonly ask: (ctx: BotContext, answers: Answers) => View | Promise<View>;
  /** Reads a typed text. May look things up; an AppError counts as a refusal and is worded as everywhere else. */
  readonly read: (ctx: BotContext, text: string, answers: Answers) => Answer | Promise<Answer>;
  /** Buttons of the question, `form:<name>`, and the text each stands for. */
  readonly choices?:
    | Readonly<Record<string, string>>
    | ((answers: Answers) => Readonly<Record<string, string>>);
  /** Reads a picture sent as a photo or as a file. Without it only text is taken. */
  readonly readPicture?: (ctx: BotContext, picture: SentPicture, answers: Answers) => Promise<Answer>;
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
 * Reserved keys of what a dialogue is entered with: the question to begin at, and the one question to ask alone, after
 * which (or after Back) the dialogue is finished with everything else as it was.
 */
export const BEGIN_AT = 'begin_at';
export const ONLY = 'only';

/**
 * A dialogue that collects input and nothing else: at most ten questions, fifteen minutes per answer. What follows from
 * the answers happens in `finish`, once, and moves no money: at most it shows a confirm screen.
 */
export type Form = {
  readonly id: string;
  /** Raised with every change to the questions: a waiting dialogue of another version is told to start again. */
  readonly version: number;
  readonly steps: readonly Step[];
  readonly finish: (ctx: BotContext, answers: Answers) => Promise<void>;
};

export const MAX_STEPS = 10;
export const ANSWER_WITHIN_MS = 15 * 60_000;

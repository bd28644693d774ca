import type { BotContext } from './context.ts';
import type { Form } from './dialog/form.ts';
import type { SecretHandler } from './secret/prompts.ts';

/** The specification's eleven, in the order the menu publishes them. */
export const COMMANDS = [
  'start',
  'home',
  'referral',
  'trade',
  'deposit',
  'withdraw_sol',
  'withdraw_spl',
  'create_token',
  'setting',
  'cancel',
  'help',
] as const;

type CommandName = (typeof COMMANDS)[number];

export type Tap = {
  /** Works before there is a deposit wallet. */
  readonly unlocked?: boolean;
  /** Answers the tap itself, with a toast. Otherwise it is answered before `run`. */
  readonly toasts?: boolean;
  /** Where Back under an error leads, with the same state: an action of the same feature. */
  readonly back?: string;
  /** What an old or used button says, instead of a toast and a fresh screen. */
  readonly stale?: (ctx: BotContext) => Promise<unknown>;
  /** `state` is the row behind a button that carries state, null for plain navigation. */
  readonly run: (ctx: BotContext, state: TapState | null) => Promise<unknown>;
};

export type TapState = {
  /** Null when another feature passed the state on directly. */
  readonly buttonId: string | null;
  readonly payload: unknown;
  /** Which of several like buttons was tapped. */
  readonly index: number | null;
};

/** A command of the bot: one folder, one line in the registry. */
export type Feature = {
  /** First part of its buttons' callback data. */
  readonly name: string;
  readonly commands: readonly {
    readonly name: CommandName;
    readonly unlocked?: boolean;
    readonly run: (ctx: BotContext, text: string) => Promise<unknown>;
  }[];
  readonly taps: Readonly<Record<string, Tap>>;
  readonly forms: readonly Form[];
  /** What is done with a secret that was asked for by `secrets.ask`, by the name given there. */
  readonly secrets?: Readonly<Record<string, SecretHandler>>;
  /** Commands outside the published menu; they work at any time, also before there is a wallet. */
  readonly hidden?: readonly {
    readonly name: string;
    /** To anybody else there is no such command, so it is not offered for one that was mistyped. */
    readonly forOperators?: true;
    readonly run: (ctx: BotContext) => Promise<unknown>;
  }[];
};

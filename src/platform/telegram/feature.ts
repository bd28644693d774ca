import type { Key } from '../../compose/texts/catalogue.ts';
import type { Declared } from '../../modules/guard/rules/acts.ts';
import type { BotContext } from './context.ts';
import type { Form } from './dialog/form.ts';
import type { SecretTaker } from './secret/prompts.ts';
import type { Html } from './ui/html.ts';

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

/** The commands of groups, as their menu publishes them; `modules/groups` answers them. */
export const GROUP_COMMANDS = ['scan', 'lb', 'group', 'forgetme'] as const;

/** Commands outside the menu. */
export type HiddenCommand =
  | 'orders'
  | 'positions'
  | 'alerts'
  | 'points'
  | 'keys'
  | 'panic'
  | 'new'
  | 'launch'
  | 'my_tokens'
  | 'settings'
  | 'wallets'
  | 'following';

/**
 * The answer to a command in borrowed words (forwarded, quoted, by another bot). `reads`: it is answered as ever, as it shows a screen and
 * changes nothing by itself. Else the tap that is offered instead, which does the same when the person wants it.
 */
export const BORROWED_COMMANDS = {
  start: 'reads',
  home: 'reads',
  referral: 'reads',
  trade: 'reads',
  deposit: 'reads',
  withdraw_sol: 'reads',
  withdraw_spl: 'reads',
  create_token: 'reads',
  setting: 'reads',
  help: 'reads',
  orders: 'reads',
  positions: 'reads',
  alerts: 'reads',
  points: 'reads',
  new: 'reads',
  launch: 'reads',
  my_tokens: 'reads',
  settings: 'reads',
  wallets: 'reads',
  following: 'reads',
  keys: 'reads',
  cancel: { feature: 'cancel', action: 'now' },
  panic: { feature: 'panic', action: 'now' },
} as const satisfies Record<
  CommandName | HiddenCommand,
  'reads' | { readonly feature: 'cancel' | 'panic'; readonly action: 'now' }
>;

export type Tap = {
  /** The act of a tap on it. */
  readonly act: Declared;
  /** Works before there is a deposit wallet. */
  readonly unlocked?: boolean;
  /** Answers the tap itself, with a toast. Otherwise it is answered before `run`. */
  readonly toasts?: boolean;
  /** Where Back under an error leads, with the same state: an action of the same feature. */
  readonly back?: string;
  /** The answer of an old or used button, instead of a toast and a fresh screen. */
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
  /** The PIN was typed a moment ago, for the subject of this state. */
  readonly pinTyped?: true;
};

/**
 * Reads the typed text while a form of its feature is open (`openForms`). It trades nothing: the text changes the form, whose buttons
 * do the rest. A setting that it saves passes the gate of its use case, which may ask for the PIN.
 */
export type TypedReader = {
  /** Whether the text is the form's to read or to refuse; false for words that mean the same at any screen. */
  readonly takes: (text: string) => boolean;
  /** Puts it into the form. Throws its refusals, which are shown above the form. */
  readonly run: (ctx: BotContext, state: TapState, text: string) => Promise<unknown>;
  /** The form as it is now, below a reason. */
  readonly again: (ctx: BotContext, state: TapState, why: Html) => Promise<unknown>;
  /** The way back from a card that was opened over it: a tap of the same feature. */
  readonly back: {
    readonly action: string;
    readonly label: (state: TapState) => Extract<Key, `btn.back_to_${string}`>;
  };
};

/** A command of the bot: one folder, one line in the registry. */
export type Feature = {
  /** First part of its buttons' callback data. */
  readonly name: string;
  readonly commands: readonly {
    readonly name: CommandName;
    readonly act: Declared;
    readonly unlocked?: boolean;
    readonly run: (ctx: BotContext, text: string) => Promise<unknown>;
  }[];
  readonly taps: Readonly<Record<string, Tap>>;
  readonly forms: readonly Form[];
  readonly typed?: TypedReader;
  /** The takers of secrets that `secrets.ask` asked for, by the name given there. */
  readonly secrets?: Readonly<Record<string, SecretTaker>>;
  /** Commands outside the published menu; they work at any time, also before there is a wallet. */
  readonly hidden?: readonly {
    readonly name: HiddenCommand;
    readonly act: Declared;
    /** To anybody else there is no such command, so it is not offered for one that was mistyped. */
    readonly forOperators?: true;
    readonly run: (ctx: BotContext) => Promise<unknown>;
  }[];
};

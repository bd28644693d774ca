import type { ConversationFlavor } from '@grammyjs/conversations';
import type { Context } from 'grammy';
import type { Words } from '../../compose/texts/words.ts';
import type { User } from '../../modules/settings/rules/user.ts';
import type { Wallet } from '../../modules/wallets/rules/wallet.ts';
import type { Button } from '../ports/button-store.ts';
import type { ButtonSpec } from './ui/keyboard.ts';
import type { Screen } from './ui/screen.ts';

/** The values that the handlers of one update share. */
export type Turn = {
  /** The person as loaded at the start; `change` keeps it up to date. */
  readonly user: User;
  /**
   * The person's active wallet and the state behind the tapped button, as they were when this update came; null where they have to be read.
   * For display only: each write is judged by rows that its own transaction reads.
   */
  readonly wallet: Wallet | null;
  readonly button: Button | null;
  readonly words: Words;
  readonly screen: Screen;
  /** Set when this very update created the person: the code of the attached inviter, or null. */
  readonly arrived: { readonly attachedCode: string | null } | null;
  /** This very update ended a waiting dialogue. */
  leftDialogue: boolean;
  /** The failure of a dialogue: it cannot be thrown through the replay engine, which would keep its text alone. */
  failure: { readonly error: unknown } | null;
  /** Where an error's Back leads; null where there is nothing to go back to. */
  back: ButtonSpec | null;
  /** Takes over a service's changes to the person's row. */
  change(patch: Partial<User>): void;
  /** Answers the tap with a short text; at most once per tap. */
  toast(text: string): Promise<void>;
  /**
   * Whether this update waited while the bot was away: a message of more than a minute ago, or a tap that Telegram lets no bot answer any
   * more. It was meant for another price, so nothing is traded on it without a question.
   */
  isLate(): Promise<boolean>;
  /** Continues in another feature as if its button had been tapped. */
  go(feature: string, action: string, payload?: unknown): Promise<void>;
};

export type BotContext = ConversationFlavor<Context & { turn: Turn }>;

import type { Address } from '@tradepost/solana';
import type { Notice } from '../../../engine/notices/store-port.ts';
import type { GuardAct } from './acts.ts';

/** Kinds of notices of which some carry a Stop button: these go to the notice mail, too. */
const STOPPABLE = ['guard', 'export', 'wallet', 'waiting'] as const satisfies readonly Notice['kind'][];

export type StoppableKind = (typeof STOPPABLE)[number];

export function mayCarryStop(kind: Notice['kind']): kind is StoppableKind {
  return STOPPABLE.some((known) => known === kind);
}

type NamedWallet = { readonly wallet: string; readonly address: Address | null };

/** What happens, and what of it a reader must know to judge it. Times are epoch milliseconds. */
export type Stoppable =
  | { readonly kind: 'guard'; readonly act: GuardAct; readonly until: number | null }
  | ({
      readonly kind: 'export';
      readonly isReady: boolean;
      readonly at: number;
      /** So long none can be asked for after it was stopped. */
      readonly barMs: number;
    } & NamedWallet)
  | ({ readonly kind: 'imported' } & NamedWallet)
  | ({
      readonly kind: 'wallet-confirm-asked' | 'payout-wallet-asked';
      readonly at: number;
    } & NamedWallet)
  | { readonly kind: 'withdrawal'; readonly address: Address; readonly at: number };

/**
 * The Stop button's effect in the chat. `changes`: freezes, and takes back what waits. `freeze`: freezes. `export`: the key file does
 * not leave. `withdrawal`: the withdrawal does not leave.
 */
export type StopWay = 'changes' | 'freeze' | 'export' | 'withdrawal';

/** The present facts of a notice whose act can still be stopped. */
export type StopFacts = {
  readonly noticeId: string;
  readonly userId: string;
  readonly intentId: string | null;
  readonly what: Stoppable;
  readonly way: StopWay;
  /** From then on there is nothing left to stop. */
  readonly endsAt: number;
};

/** The page behind the link of a mail, in the language of its person. */
export type StopWords = {
  readonly language: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The label of the button that stops; null where there is nothing to press. */
  readonly button: string | null;
};

import type { Address } from '@tradepost/solana';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { TipAccounts } from '../../../platform/ports/sender.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { TipTerms } from '../../intents/rules/tip-terms.ts';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';
import type { AssociatedAddress, HeldAccounts } from './account-book.ts';
import type { ReadMessage } from './read-message.ts';

/** The facts that a message is judged against. */
export type PolicyContext = {
  readonly intent: Intent;
  readonly wallet: Address;
  readonly treasury: Address;
  /** Programs of the configured venues. A trade may call their swaps, in the forms that are known (`swap-forms.ts`). */
  readonly venuePrograms: readonly Address[];
  /** Programs of the aggregators that are switched on. Their swap is signed only with a check of its outcome behind it. */
  readonly aggregatorPrograms?: readonly Address[];
  /** True where routes of our own may go through the public router program. */
  readonly routerProgram?: boolean;
  /** The operator's own tables, as they were written down and as the chain shows them. Trades and launches may use them. */
  readonly lookupTables?: readonly LookupTable[];
  /** Derives the wallet's own accounts; without it a trade sells only from accounts that a transfer of its message names. */
  readonly associated?: AssociatedAddress;
  /** The accounts that `accountsToKnow` names, freshly read; without it nothing is signed that needs the proof of a balance. */
  readonly held?: HeldAccounts;
  /** Rent of a token account, read with `held`; see `openAccountBook`. */
  readonly tokenAccountRent?: bigint;
  /** Accounts that a tip may go to; without them no tip is signed. */
  readonly tips?: TipRules;
};

/** The operator's limits for tips. */
export type TipRules = { readonly accounts: TipAccounts; readonly capLamports: bigint };

/** How one kind of intent is judged, beside the rules that all share. */
export type KindPolicy<P> = {
  /** Keys that may sign beside the wallet: a new mint for its own account, one key per pool of a split. Nothing else ever. */
  readonly coSigners: number;
  readonly mayLookUp?: true;
  /** True where only the wallet's holdings can prove the message's cost to it: the vault reads them first. */
  readonly readsHoldings?: true;
  /** Decides the most that the priority fee may be. */
  tierOf(params: P): PriorityTier;
  /** The tip that was confirmed with it; absent for a kind that pays none. */
  tipOf?(params: P): TipTerms | undefined;
  /** `own` are the instructions and actions beside memo and budget. Throws POLICY_DENIED with the rule that is broken. */
  judge(own: OwnPart, params: P, context: PolicyContext): void;
};

export type OwnPart = Pick<ReadMessage, 'signers' | 'instructions' | 'actions'>;

/** Pools in one trade. */
export const MAX_POOLS = 5;

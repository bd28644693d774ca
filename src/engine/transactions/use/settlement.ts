import type { RecordedEvent } from '../../../modules/positions/store/position-store-port.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { IntentKind, ParamsByKind } from '../../intents/kinds/params.ts';
import type { Attempt, Intent, LandedReceipt } from '../../intents/rules/intent.ts';
import type { TransactionDeps } from './deps.ts';

export type SettleDeps = Pick<TransactionDeps, 'clock' | 'ids' | 'fees' | 'treasury' | 'settlements'> & {
  readonly chain: Pick<Chain, 'slotMs'>;
};

/** A finalized intent, as the commit that makes it SUCCEEDED knows it. */
export type Finalized<P> = {
  readonly intent: Intent;
  readonly params: P;
  readonly attempt: Attempt;
  /** Null where no endpoint serves the transaction any more. */
  readonly receipt: LandedReceipt | null;
  /** The platform's fee in it: the amount that arrived, or else the agreed one, which is in the very bytes that landed. */
  readonly fee: {
    readonly intent: Intent;
    readonly signature: string;
    readonly feeLamports: bigint;
    /** When it landed, epoch milliseconds. */
    readonly at: number;
  };
};

/** An intent that did not and cannot happen. */
export type Voided<P> = {
  readonly intent: Intent;
  readonly params: P;
  readonly landedError: boolean;
  readonly receipt: LandedReceipt | null;
};

/** The effect that the end of an intent of one kind has on the books, inside the commit that ends it. A repeat books nothing twice. */
export type Settlement<P> = {
  /** The consequences of its confirmation; absent where it has none. Nothing is booked, because that fork may still die. */
  confirm?(
    deps: SettleDeps,
    stores: Stores,
    seen: Pick<Finalized<P>, 'intent' | 'params' | 'receipt'>,
  ): Promise<void>;
  /** Books its movements; absent where nothing is booked. */
  capture?(deps: SettleDeps, stores: Stores, final: Finalized<P>): Promise<void>;
  /** Ends the orders of positions that it closed, at its confirmation and again once it is final; absent where it ends none. */
  moved?(
    deps: SettleDeps,
    stores: Stores,
    moved: { readonly intent: Intent; readonly events: readonly RecordedEvent[] },
  ): Promise<void>;
  /** Gives back the amounts held for it; absent where nothing is held. */
  giveBack?(deps: SettleDeps, stores: Stores, end: Voided<P>): Promise<void>;
};

/** One per kind: a new kind does not compile until it has one. */
export type Settlements = { readonly [K in IntentKind]: Settlement<ParamsByKind[K]> };

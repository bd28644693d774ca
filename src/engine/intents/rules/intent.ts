import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../kinds/params.ts';
import type { TradeTerms } from './terms.ts';

/**
 * An intent is the one record of a request that moves value. Its `idemKey` is minted before the confirm button is shown,
 * so a double tap, a redelivered update and a retried job all meet the same row.
 */
export type Intent = {
  readonly id: string;
  /** Short code a person can read out: `R-7F3K2`. */
  readonly receipt: string;
  readonly kind: IntentParams['kind'];
  /** Null for the service's own payouts. */
  readonly userId: string | null;
  readonly walletId: string;
  readonly idemKey: string;
  readonly params: IntentParams;
  /**
   * The signer's code over the person's confirmed request (`confirmationText`); null for an intent that no person confirms: payouts, and
   * the second half of a creation, which follows from the first.
   */
  readonly confirmation: string | null;
  readonly status: IntentStatus;
  /** Epoch milliseconds before which nothing may be built; null = at once. */
  readonly notBefore: number | null;
  readonly leaseOwner: string | null;
  readonly leaseUntil: number | null;
  /** Fencing token: grows with each lease; every write of a worker carries the epoch it holds. */
  readonly leaseEpoch: number;
  readonly outcome: IntentOutcome | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type IntentStatus = OpenIntentStatus | FinalIntentStatus;
export type OpenIntentStatus = 'CREATED' | 'ACTIVE';
export type FinalIntentStatus =
  | 'SUCCEEDED'
  | 'FAILED'
  | 'REJECTED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'NEEDS_REVIEW';

/** The facts known at the end. `receipt` numbers come from chain data, never from the quote. */
export type IntentOutcome = {
  /** Error code of a refusal, or the chain's error; null on success. */
  readonly reason: string | null;
  /** Details of the refusal as plain JSON, bigints as decimal strings. */
  readonly details: unknown;
  readonly receipt: LandedReceipt | null;
};

/** Read from the landed transaction. Lamports and smallest units, signed from the wallet's point of view. */
export type LandedReceipt = {
  readonly signature: string;
  readonly slot: bigint;
  readonly landedAt: number | null;
  /** Base fee plus priority fee. */
  readonly feeLamports: bigint;
  readonly baseFeeLamports: bigint;
  readonly priorityFeeLamports: bigint;
  /** Change of the wallet's own lamports, everything included. */
  readonly walletLamportsDelta: bigint;
  /** Change of each token the wallet's accounts hold. */
  readonly tokenDeltas: readonly { readonly mint: Address; readonly delta: bigint }[];
  /**
   * Rent locked in accounts that this transaction created for the wallet or its recipient. Rent that came back from closed accounts of the
   * wallet is subtracted: below zero when more came back.
   */
  readonly rentLamports: bigint;
  /** The amount that the platform's treasury received in this transaction. */
  readonly platformFeeLamports: bigint;
  /** Lamports that the sender got; absent where there was no tip. */
  readonly tipLamports?: bigint;
  /** The mint that a creation made; only there. */
  readonly createdMint?: Address;
  /** Units that arrived at the recipient of a token withdrawal, without the part that the mint withheld; only there. */
  readonly arrivedUnits?: bigint;
};

/** One signed transaction of an intent. At most one is alive at a time (partial unique index). */
export type Attempt = {
  readonly id: string;
  readonly intentId: string;
  /** 1, 2, 3 … */
  readonly n: number;
  readonly signedTransaction: Uint8Array;
  readonly signature: string;
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** A slot not later than the moment of signing. */
  readonly signedSlot: bigint;
  readonly signedAt: number;
  readonly status: AttemptStatus;
  readonly sendCount: number;
  readonly lastSentAt: number | null;
  readonly landedSlot: bigint | null;
  /** The chain's error as JSON text when it landed with one. */
  readonly chainError: string | null;
  readonly deathProof: unknown;
  /** The endpoints' answers on its finality, until they agree. */
  readonly landingProof: unknown;
  /** Terms in force when this attempt was built: a re-quote may better, never worsen, the confirmed ones. */
  readonly terms: TradeTerms | null;
};

declare module '../../../core/errors/codes.ts' {
  interface ErrorDetails {
    /**
     * Another transaction of the intent was signed, and it is not known yet how it ended. `attempt` is that one where the signer still has
     * it: the caller stores it and drops its own.
     */
    ATTEMPT_UNDECIDED: { readonly attempt: Attempt | null };
  }
}

export type AttemptStatus = LiveAttemptStatus | 'FINALIZED' | 'LANDED_ERR' | 'DEAD';
export type LiveAttemptStatus = 'SIGNED' | 'SEEN' | 'CONFIRMED' | 'UNKNOWN';

export const OPEN_INTENT_STATUSES: readonly OpenIntentStatus[] = ['CREATED', 'ACTIVE'];
export const LIVE_ATTEMPT_STATUSES: readonly LiveAttemptStatus[] = ['SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN'];

import type { Address } from '@tradepost/solana';
import type { IntentParams } from '../../intents/kinds/params.ts';
import type { IntentStatus, LandedReceipt } from '../../intents/rules/intent.ts';
import type { TradeTerms } from '../../intents/rules/terms.ts';

/** Everything that the books say about one transaction. */
export type ReceiptBooking = {
  readonly intentId: string;
  readonly receiptCode: string;
  readonly kind: IntentParams['kind'];
  readonly status: IntentStatus;
  readonly wallet: Address;
  readonly receipt: LandedReceipt | null;
  readonly terms: TradeTerms | null;
  /** The person's inviter; null = none. */
  readonly inviterId: string | null;
  /** Entries of the fee's posting by account key, signed; empty when nothing is posted. */
  readonly entries: ReadonlyMap<string, bigint>;
  readonly reward: {
    readonly inviterId: string;
    readonly lamports: bigint;
    readonly status: 'ACCRUED' | 'BATCHED' | 'PAID';
    /** The payout's transaction and its debt to the inviter, where it is final. */
    readonly payout: {
      readonly signature: string;
      readonly recipient: Address;
      readonly lamports: bigint;
    } | null;
  } | null;
};

/** The questions of one receipt's check to the database. */
export interface ReceiptBooks {
  /** By the transaction's signature; null when no attempt has it. */
  find(signature: string): Promise<ReceiptBooking | null>;
  /** The wallet of an intent, by its id; null when there is no such intent. */
  walletOf(intentId: string): Promise<Address | null>;
}

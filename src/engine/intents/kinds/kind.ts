import type { Address } from '@tradepost/solana';
import type { Act } from '../../../modules/guard/rules/acts.ts';
import type { CapUse } from '../../../modules/guard/rules/cap.ts';
import type { OrderChild } from '../../../modules/orders/rules/order-child.ts';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import { networkFeeCap } from '../../fees/rules/network-fee-cap.ts';
import type { KindPolicy } from '../../signing/rules/kind-policy.ts';
import type { Switch } from '../../switches/rules.ts';
import type { LandedReceipt } from '../rules/intent.ts';
import type { TradeTerms } from '../rules/terms.ts';
import type { PreparedMint } from './create-token/params.ts';

/** How often an intent of a kind is tried, and for how long. */
export type RetryRule = {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  /** Landed price failures that are answered with a fresh attempt. */
  readonly priceRetries: number;
  /** How long after it became due an intent may still start an attempt: an old request is not carried out by surprise. */
  readonly wantedForMs: number;
};

/** A landed transaction, and whose it is. */
export type Landed<P> = {
  readonly landed: LandedTransaction;
  /** Pays the network fee, always. */
  readonly wallet: Address;
  readonly params: P;
  /** The mint that the transaction makes or fills, when it is a creation. */
  readonly createdMint: Address | null;
};

/** A purchase or a sale of one token for SOL. */
export type AgreedTrade = {
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  /** Lamports of a purchase, platform fee included, or units of a sale. */
  readonly amountIn: bigint;
  readonly terms: TradeTerms;
};

/** The effect of a landed transaction on its intent's token. */
export type TokenMove = {
  readonly mint: Address;
  /** Its purpose; null = it was sent to another person. */
  readonly as: 'buy' | 'sell' | 'creation' | null;
  /** Lamports that the move cost or brought, signed, without rent that comes back; 0 where none do. */
  readonly flowLamports: bigint;
};

/**
 * Everything that shared code asks about a kind of intent, pure: state machine, signing policy, guard and receipts read it, in
 * every process. An answer that is left out is "no" or "none".
 */
export type KindRules<P> = {
  /** The row of the gate that its confirmation passes. */
  readonly act: Act;
  /** How one is confirmed. `nobody`: no person confirms it; the signer proves it from the books instead. */
  readonly confirmedBy: 'tap' | 'pin' | 'nobody';
  /** The signer's proof of an intent that carries no confirmation; without it such an intent is never signed. */
  readonly provedBy?: 'payout-books' | 'first-half';
  /**
   * The switches that keep one from being confirmed, and a confirmed one from being signed. A pause of trading stops tokens too, as a
   * creation and a launch pay for themselves with the same wallet.
   */
  readonly stoppedBy: readonly Switch[];
  readonly retry: RetryRule;
  readonly policy: KindPolicy<P>;
  /** The platform's fee that it carries, which an inviter has a share of; null = none. */
  readonly fee: 'trade' | 'creation' | null;
  /** The kind that follows it without another gate, at the same priority; absent where none does. */
  readonly followedBy?: 'create-token';
  /** The same at another priority; left out where that is never changed. */
  atTier?(params: P, tier: PriorityTier): P;
  /** Lamports that it takes from the daily spending cap, network fees apart. Withdrawals and payouts have gates of their own. */
  spends(params: P): bigint;
  /**
   * Whether a transaction that succeeded did the act that the intent asks for. Amounts that the chain may round or a market decides are
   * judged by their sign alone, so that no honest record is doubted.
   */
  showsEffect(landed: Landed<P>): boolean;
  /** The recipient: it counts as a withdrawal, with an address book, a wait and a daily cap. */
  recipientOf?(params: P): Address;
  /**
   * The part of what leaves to the recipient in its person's day: SOL, also as wrapped SOL, and the worth of other tokens as it was when it
   * was confirmed. A remainder too small to stay is left out.
   */
  withdraws?(params: P): CapUse;
  tradeOf?(params: P): AgreedTrade;
  /** Whether orders wait for its proceeds. */
  hasLegs?(params: P): boolean;
  /** The same with orders that wait for its proceeds; left out where none can. */
  withLegs?(params: P): P;
  /** The order that wants it; null where a person does. */
  orderOf?(params: P): OrderChild | null;
  /** Its effect on a position; null, or absent, where it moves no token of the person's. */
  tokenMoveOf?(params: P, receipt: LandedReceipt): TokenMove | null;
  /** The mint that such an attempt makes or fills, out of its own wire bytes. Throws as `readCreation`. */
  mintOf?(params: P, signedTransaction: Uint8Array, treasury: Address): Address;
  /** Lamports that a creation left locked or paid to a launchpad, where that is not all that fills accounts that were empty. */
  creationRent?(landed: Landed<P>, platformFee: bigint): bigint;
  /** The mint that an earlier transaction of the same creation left for this one to fill; null where there was none. */
  preparedOf?(params: P): PreparedMint | null;
  /** True where the following intent reports the success, and takes over the message. */
  readonly isFirstHalf?: true;
};

/**
 * The most that the network may take for an intent of a kind, in lamports: each attempt that may land, with every signature that is
 * signed beside the wallet's. An attempt that lands too dear pays its fee, and is followed by another.
 */
export function feesOf(
  {
    retry,
    policy,
  }: Pick<KindRules<never>, 'retry'> & { readonly policy: Pick<KindPolicy<never>, 'coSigners'> },
  tier: PriorityTier,
): bigint {
  return BigInt(1 + retry.priceRetries) * networkFeeCap(tier, 1 + policy.coSigners);
}

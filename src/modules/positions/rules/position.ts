import type { Address } from '@tradepost/solana';

/**
 * One wallet's units of one mint, by average cost. All costs are lamports, net of every fee; rent that comes back is in none of them. The
 * method is for display: an export carries transactions, never a computed gain.
 */
export type Position = {
  readonly walletId: string;
  readonly mint: Address;
  /** Smallest units. Below zero only while events are missing: more left than is known to have come. */
  readonly units: bigint;
  /** The cost of the units held. */
  readonly cost: bigint;
  readonly realized: bigint;
  /** Only airdrops so far: shown on demand, and counted in no total. */
  readonly hidden: boolean;
  /** Part of the cost is the worth of units when they came, not a payment. */
  readonly pricedAtReceipt: boolean;
  /** Units left over from trades that passed through this mint; they cost nothing. */
  readonly remainderUnits: bigint;
  /** Units that went to others, and their cost. */
  readonly withdrawnUnits: bigint;
  readonly withdrawnCost: bigint;
  /** Units burnt, or taken by the mint's authority. Their cost is a realized loss. */
  readonly takenUnits: bigint;
  /** Sum of the differences to the chain that no transaction explains. */
  readonly adjustedUnits: bigint;
  /** The last event folded in; null = none. */
  readonly upTo: EventPlace | null;
};

/** The place of an event in the order of all events. */
export type EventPlace = { readonly slot: bigint; readonly signature: string };

type Facts =
  /**
   * `units` that arrived, so a withheld transfer fee is lost already. `flowLamports` is the receipt's `walletLamportsDelta + rentLamports`:
   * below zero for a payment.
   */
  | { readonly kind: 'buy'; readonly units: bigint; readonly flowLamports: bigint }
  /** `units` that left, a withheld fee included. `flowLamports` as above: above zero for proceeds. */
  | { readonly kind: 'sell'; readonly units: bigint; readonly flowLamports: bigint }
  /** An attempt that landed with an error. */
  | { readonly kind: 'failed'; readonly feeLamports: bigint }
  /** Both halves of a move between wallets of one person carry the same signature. */
  | { readonly kind: 'own-out' | 'own-in'; readonly units: bigint }
  /** From another person. `revision` grows when the person sets another value. */
  | {
      readonly kind: 'received';
      readonly units: bigint;
      readonly valueLamports: bigint;
      readonly revision: number;
    }
  | { readonly kind: 'airdrop' | 'withdrawn' | 'taken' | 'remainder'; readonly units: bigint }
  /** The first supply of a mint made here, and its lasting cost. */
  | { readonly kind: 'creation'; readonly units: bigint; readonly costLamports: bigint }
  /** `units` is the signed difference that remains to the chain. */
  | { readonly kind: 'adjustment'; readonly units: bigint };

/** One thing that happened. At most one of a kind per wallet, mint and signature; amounts are not negative unless said. */
export type PositionEvent = Facts & {
  readonly walletId: string;
  readonly mint: Address;
  readonly signature: string;
  readonly slot: bigint;
  /** Epoch milliseconds. */
  readonly at: number;
  /** False while the transaction is confirmed and not finalized. */
  readonly final: boolean;
};

export function emptyPosition(walletId: string, mint: Address): Position {
  return {
    walletId,
    mint,
    units: 0n,
    cost: 0n,
    realized: 0n,
    hidden: true,
    pricedAtReceipt: false,
    remainderUnits: 0n,
    withdrawnUnits: 0n,
    withdrawnCost: 0n,
    takenUnits: 0n,
    adjustedUnits: 0n,
    upTo: null,
  };
}

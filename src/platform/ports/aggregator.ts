import type { Address, Instruction } from '@tradepost/solana';
import type { Bps } from '../../core/amounts/bps.ts';
import type { SwapOrder } from '../../modules/trading/rules/swap-order.ts';

/**
 * A third party's router, asked over the network. None of its answers is believed. Its amounts are compared with the result of a
 * simulation. Of its transaction only the swap itself is taken over, into a message of our own.
 */
export interface Aggregator {
  /** Stable key: `jupiter` … */
  readonly name: string;
  /** Its name in a route line. */
  readonly label: string;
  /** Programs that its swaps may call; an instruction of any other is refused. */
  readonly programs: readonly Address[];
  /**
   * Its quote for exactly `amountIn`, or null when it knows no route. Rejects within its time box when it cannot be asked or when its
   * answer breaks its own documents.
   */
  quote(order: AggregatorOrder): Promise<AggregatorQuote | null>;
}

export type AggregatorOrder = SwapOrder & {
  readonly slippageBps: Bps;
  /** About how many accounts the swap may name, so that it fits a transaction with the instructions around it. */
  readonly maxAccounts: number;
};

export type AggregatorQuote = {
  readonly amountIn: bigint;
  /** Units that reach the trader's account, net of the aggregator's own fees. */
  readonly amountOut: bigint;
  /** As the aggregator says, never negative. */
  readonly priceImpactBps: number;
  /** The path, for showing. */
  readonly hops: readonly AggregatorHop[];
  /** Its transaction for this quote. Rejects as `quote` does. */
  readonly build: (accounts: AggregatorAccounts) => Promise<AggregatorTransaction>;
};

export type AggregatorHop = {
  readonly mintIn: Address;
  readonly mintOut: Address;
  readonly parts: readonly { readonly name: string; readonly percent: number }[];
};

/** The trader, and their associated accounts of both tokens, wrapped SOL included. */
export type AggregatorAccounts = {
  readonly user: Address;
  readonly source: Address;
  readonly destination: Address;
};

export type AggregatorTransaction =
  | {
      readonly kind: 'instructions';
      readonly instructions: readonly Instruction[];
      /** Tables that make them fit a packet; to be read from the chain. */
      readonly lookupTables: readonly Address[];
    }
  /** A whole unsigned message, to be decoded here. */
  | { readonly kind: 'message'; readonly bytes: Uint8Array };

/** Why an aggregator was passed over, for the log and the counters. */
export type AggregatorFailure =
  | 'timeout'
  | 'unreachable'
  | 'status'
  | 'malformed'
  | 'contradiction'
  | 'circuit-open';

export class AggregatorError extends Error {
  readonly failure: AggregatorFailure;

  constructor(failure: AggregatorFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AggregatorError';
    this.failure = failure;
  }
}

import type { Address } from '@tradepost/solana';

export type HistoryEntry = {
  readonly signature: string;
  readonly slot: bigint;
  readonly err: string | null;
  /** As the node prints it: `[26] 01J…` for each memo. */
  readonly memo: string | null;
  /** Epoch milliseconds, or null where the node does not know. */
  readonly at: number | null;
};

/** Reconciliation's questions to the cluster. Throws CHAIN_UNREACHABLE when no endpoint answers. */
export interface ChainHistory {
  /**
   * Finalized transactions that name the address, newest first, older than `before` when given. With `minSlot` only an endpoint
   * that has finalized that slot answers.
   */
  signatures(
    address: Address,
    page: { readonly before: string | null; readonly limit: number; readonly minSlot?: bigint },
  ): Promise<readonly HistoryEntry[]>;
  /** Finalized lamports of up to 100 addresses in the order asked, 0 where there is no account, and the slot of that answer. */
  balances(
    addresses: readonly Address[],
  ): Promise<{ readonly slot: bigint; readonly lamports: readonly bigint[] }>;
  /** The wire bytes of a finalized transaction, signatures included; null while no endpoint serves it. */
  wire(signature: string): Promise<Uint8Array | null>;
  finalizedHeight(): Promise<bigint>;
}

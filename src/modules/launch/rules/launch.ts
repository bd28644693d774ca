import type { Address } from '@tradepost/solana';

/** A token that a custodial wallet launched here; its row in `created_tokens` holds its name. */
export type Launch = {
  readonly mint: Address;
  readonly userId: string;
  readonly intentId: string;
  /** Key of the launchpad. */
  readonly pad: string;
  /** The pad's configuration that it was launched under, where a pad has several. */
  readonly config: Address | null;
  readonly firstBuyLamports: bigint;
  /** Of the curve, as it was last seen. */
  readonly soldBps: number;
  readonly checkedAt: number;
  /** When it was first seen complete; null while it is on its curve. */
  readonly graduatedAt: number | null;
  readonly createdAt: number;
};

import type { Address } from '@tradepost/solana';
import type { FlowSums, WalletFlow } from './rules/wallet-flows.ts';

/** Sums of the sealed trades of any wallet. Written by the tape alone, in the commits of its seals. Throws DATABASE_UNREACHABLE. */
export interface WalletFlowStore {
  /** A wallet's sums, the newest day first, then by mint; those after a place, of one mint or all, at most `limit`. */
  days(trader: Address, page: FlowPage): Promise<readonly WalletFlow[]>;
  /** A wallet's sums per token over the days from `kept` on, and over those from `window` on, in no order. */
  sums(
    trader: Address,
    from: { readonly kept: number; readonly window: number },
  ): Promise<readonly TokenSums[]>;
  /** Unix seconds from which on every sealed trade is in the sums; null before the first seal. */
  since(): Promise<number | null>;
}

export type FlowPage = FlowPlace & {
  /** The oldest day that is given. */
  readonly from: number;
};

export type FlowPlace = {
  readonly mint: Address | null;
  readonly after: { readonly day: number; readonly mint: Address } | null;
  readonly limit: number;
};

export type TokenSums = { readonly mint: Address; readonly kept: FlowSums; readonly window: FlowSums };

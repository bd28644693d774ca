import type { Address } from '@tradepost/solana';
import type { TokenSpec } from '../../../../modules/mint/rules/token-spec.ts';
import type { PriorityTier } from '../../../../modules/settings/rules/settings.ts';
import type { TipTerms } from '../../rules/tip-terms.ts';

export type LaunchParams = {
  readonly kind: 'launch';
  /** Key of the launchpad. */
  readonly pad: string;
  /** The launchpad's program; null for the desk, whose launches are made of the common programs' instructions. */
  readonly program: Address | null;
  /** The pad's configuration that was quoted, where a pad has several. */
  readonly config: Address | null;
  /** The token as it will be; the pad decides its decimals, supply and authorities. */
  readonly spec: TokenSpec;
  readonly uri: string;
  /** SHA-256 of the metadata document that we serve, in hexadecimal digits; null when the URI is the creator's own. */
  readonly metadataHash: string | null;
  readonly firstBuy: LaunchFirstBuy | null;
  /** The most that rent and the pad's own fee take, first buy aside. */
  readonly costLamports: bigint;
  /** The platform's fee at most, paid in the launching transaction or not at all. */
  readonly feeLamports: bigint;
  readonly tier: PriorityTier;
  /** The way to the leader, and its price; absent: the nodes, for nothing. */
  readonly tip?: TipTerms;
};

export type LaunchFirstBuy = {
  readonly lamports: bigint;
  readonly quotedTokens: bigint;
  /** The least that may arrive. */
  readonly minTokens: bigint;
  readonly slippageBps: number;
};

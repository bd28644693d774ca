import type { Address } from '@tradepost/solana';
import type { PartSwitch } from '../../switches/rules.ts';

/** Numbers of a quote that a person confirmed. All in smallest units. */
export type TradeTerms = {
  readonly amountIn: bigint;
  /** The amount that the quote promised, net of the platform fee on a sale. */
  readonly quotedOut: bigint;
  /** The least that may arrive; enforced before signing by simulation and on chain by the venue. Net as above. */
  readonly minOut: bigint;
  readonly platformFeeLamports: bigint;
  /** Part of the ordinary fee that was let off for points; absent without a discount. */
  readonly feeDiscountBps?: number;
  readonly priceImpactBps: number;
  readonly slippageBps: number;
  /** For the receipt, and for the signing policy: a trade may pass through the tokens named here and no others. */
  readonly route: readonly RouteTerm[];
};

/** One leg of the route that was confirmed, in the order of execution. */
export type RouteTerm = {
  readonly venue: string;
  readonly pool: Address;
  /** This leg's share of all that the route spends of the token that the leg sells. */
  readonly percent: number;
  /** Intermediate tokens that the leg leads from and to; null is an end of the trade itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  /**
   * The operator's switch of the venue or aggregator that the leg goes over, which stops its signature. Absent in rows that are older than
   * the switch.
   */
  readonly pausedBy?: PartSwitch;
};

/** The tokens that a trade on these terms passes through. */
export function intermediatesOfTerms({ route }: Pick<TradeTerms, 'route'>): readonly Address[] {
  return [...new Set(route.flatMap(({ to }) => (to === null ? [] : [to])))];
}

import { type Address, mulDivFloor } from '@tradepost/solana';
import type { Bps } from '../../../core/amounts/bps.ts';
import type { BuyParams } from '../../../engine/intents/kinds/buy/params.ts';
import type { SellParams } from '../../../engine/intents/kinds/sell/params.ts';
import type { TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { TokenSafety } from '../../tokens/rules/safety.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { AutoSlippage } from '../rules/auto-slippage.ts';
import type { Route } from '../rules/route.ts';
import type { IntermediateAccount } from './intermediate-accounts.ts';
import { type SizeWarning, sizeWarnings } from './swap-warnings.ts';

/** A person's request. `max` spends all that the wallet can spare; a share is of all units that the wallet may move. */
export type TradeRequest = BuyRequest | SellRequest;

export type BuyRequest = TradeSettings & {
  readonly side: 'buy';
  readonly amount: { readonly lamports: bigint } | 'max';
};

export type SellRequest = TradeSettings & {
  readonly side: 'sell';
  readonly amount: { readonly units: bigint } | { readonly shareBps: Bps };
};

type TradeSettings = {
  /** Absent: by the nodes, for nothing. */
  readonly tip?: TipTerms;
  /** Address of the deposit wallet that trades. */
  readonly wallet: Address;
  readonly mint: Address;
  readonly slippageBps: Bps;
  /** The most that a slippage may be that is worked out now, in place of the fixed one; absent or null: it is the fixed one. */
  readonly autoCapBps?: Bps | null;
  readonly tier: PriorityTier;
};

/** Everything the confirm screen shows. Smallest units throughout; nothing here is signed or stored yet. */
export type TradeQuote = {
  readonly side: 'buy' | 'sell';
  readonly wallet: Address;
  readonly token: Token;
  readonly tier: PriorityTier;
  /** Buy: lamports given up, platform fee included. Sell: units of the token given up. Equals `terms.amountIn`. */
  readonly amountIn: bigint;
  /**
   * Of a sale of a share: units of that share that lie in other accounts of the wallet. One sale takes from one account; the next
   * sale takes them.
   */
  readonly elsewhereUnits: bigint;
  /** About, at least, platform fee, impact, slippage and route. On a sale `quotedOut` and `minOut` are net of the fee. */
  readonly terms: TradeTerms;
  /** Where the slippage in the terms was worked out from the market's moves. */
  readonly auto?: AutoSlippage;
  readonly route: RouteFacts;
  /** Signatures plus the priority tier's cap: the most the network may take. */
  readonly networkFeeUpToLamports: bigint;
  /** The tip, where there is one. */
  readonly tip?: TipTerms;
  /** Rent of accounts that the trade opens and that stay open; comes back when they are closed. 0 when none is opened. */
  readonly newAccountRentLamports: bigint;
  /** Lamports that come back because a sale of everything closes the token's account, on top of `terms`; 0 when it stays. */
  readonly closedLamports: bigint;
  /** The most the wallet's lamports may fall by when the trade succeeds; a sale gains on top of it. */
  readonly leavesWalletUpToLamports: bigint;
  readonly walletLamports: bigint;
  readonly safety: TokenSafety;
  readonly warnings: readonly TradeWarning[];
  /** Venues that could not be asked for their pools: with them the quote may be better. */
  readonly unasked: readonly string[];
  /** The oldest chain state among those the quote rests on. */
  readonly slot: bigint;
  readonly quotedAt: number;
  readonly expiresAt: number;
};

/** The facts on the confirm screen about the route beside its legs. */
export type RouteFacts = {
  /** The route's output beyond the best single pool of the pair, in bps of that, rounded down; null without one. */
  readonly savesBps: number | null;
  /** The units that by the quotes stay in tokens that the route passes through; not in `terms.quotedOut`. */
  readonly remainders: readonly { readonly token: Token; readonly units: bigint }[];
  /** The tokens that the route passes through, SOL apart. */
  readonly intermediates: readonly Token[];
};

export function routeFacts(
  { amountOut, singlePoolOut, remainders }: Route,
  intermediates: readonly IntermediateAccount[],
): RouteFacts {
  const savesBps =
    singlePoolOut === null || singlePoolOut <= 0n
      ? null
      : Number(mulDivFloor(amountOut - singlePoolOut, 10_000n, singlePoolOut));
  return {
    savesBps,
    remainders: remainders.flatMap(({ mint, units }) => {
      const intermediate = intermediates.find((one) => one.token.mint === mint);
      return intermediate === undefined ? [] : [{ token: intermediate.token, units }];
    }),
    intermediates: intermediates.map(({ token }) => token),
  };
}

/** `secondTap`: the impact is above 15 %. */
export type TradeWarning =
  | (Extract<SizeWarning, { code: 'PRICE_IMPACT' }> & { readonly secondTap: boolean })
  | Extract<SizeWarning, { code: 'HIGH_SLIPPAGE' }>;

/** A quote may be confirmed unchanged for this long. */
export const QUOTE_TTL_MS = 10_000;
const IMPACT_SECOND_TAP_BPS = 1_500;
/** Buying above this is refused: half of the money would be lost to the size alone. */
export const IMPACT_MAX_BUY_BPS = 5_000;
/** The reserve that a `max` buy leaves for later network fees, beside the rent a later sale needs for a moment. */
export const SOL_RESERVE_LAMPORTS = 3_000_000n;

/** The part of a quote that a confirm button stores and that `confirmTrade` takes back. */
export type ConfirmableTrade = {
  readonly side: 'buy' | 'sell';
  readonly mint: Address;
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
  readonly tip?: TipTerms;
  readonly quotedAt: number;
  /** Of the chain's state behind the quote; absent behind a button of an older release. */
  readonly slot?: bigint;
};

export function confirmable(quote: TradeQuote): ConfirmableTrade {
  const { side, terms, tier, tip, quotedAt, slot, token } = quote;
  return { side, mint: token.mint, terms, tier, ...(tip === undefined ? {} : { tip }), quotedAt, slot };
}

/** The params of an intent of the confirmed trade. */
export function tradeParams({
  side,
  mint,
  terms,
  tier,
  tip,
  slot,
}: ConfirmableTrade): BuyParams | SellParams {
  const way = {
    tier,
    ...(tip === undefined ? {} : { tip }),
    ...(slot === undefined ? {} : { quotedSlot: slot }),
  };
  return side === 'buy'
    ? { kind: 'buy', mint, lamportsIn: terms.amountIn, terms, ...way }
    : { kind: 'sell', mint, amountIn: terms.amountIn, terms, ...way };
}

export function tradeWarnings(terms: TradeTerms): readonly TradeWarning[] {
  return sizeWarnings(terms).map((warning) =>
    warning.code === 'PRICE_IMPACT'
      ? { ...warning, secondTap: warning.impactBps > IMPACT_SECOND_TAP_BPS }
      : warning,
  );
}

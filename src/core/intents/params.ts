import type { Address } from '../address/address.ts';
import type { RevocableAuthority } from '../mint/instructions/revoke-authority.ts';
import type { MetadataWay, TokenSpec } from '../mint/token-spec.ts';
import type { PartSwitch } from '../switches/switch.ts';
import type { PriorityTier } from '../users/settings.ts';

/** What was agreed on the confirm screen. The signing policy and the screen read the same row. */
export type IntentParams =
  | WithdrawSolParams
  | WithdrawTokenParams
  | BuyParams
  | SellParams
  | PayoutParams
  | PrepareTokenParams
  | CreateTokenParams
  | RevokeAuthorityParams
  | LaunchParams;

export type IntentKind = IntentParams['kind'];

/** Every kind there is. The one list: a kind that is missing here, or that is none, does not compile. */
export const INTENT_KINDS: readonly IntentKind[] = keysOf({
  'withdraw-sol': true,
  'withdraw-token': true,
  buy: true,
  sell: true,
  payout: true,
  'prepare-token': true,
  'create-token': true,
  'revoke-authority': true,
  launch: true,
} satisfies Record<IntentKind, true>);

function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}

export type WithdrawSolParams = {
  readonly kind: 'withdraw-sol';
  readonly destination: Address;
  /** Lamports the recipient gets. Ignored when `everything`: then it is the balance less the network fee, leaving 0. */
  readonly lamports: bigint;
  readonly everything: boolean;
  readonly tier: PriorityTier;
};

export type WithdrawTokenParams = {
  readonly kind: 'withdraw-token';
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  /** The recipient's wallet; tokens go to its associated token account, created when missing at the sender's cost. */
  readonly destination: Address;
  /** Units that leave the wallet; a Token-2022 transfer fee is taken out of them on the way. */
  readonly amount: bigint;
  readonly tier: PriorityTier;
};

/** Numbers of a quote that a person confirmed. All in smallest units. */
export type TradeTerms = {
  readonly amountIn: bigint;
  /** What the quote said would arrive, net of the platform fee on a sale. */
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
  /** Share of what the route spends of the token sold in this leg. */
  readonly percent: number;
  /** Tokens in the middle that the leg leads from and to; null is an end of the trade itself. */
  readonly from: Address | null;
  readonly to: Address | null;
  /** The operator's switch of whoever the leg goes over, which stops its signature. Absent in rows from before there was one. */
  readonly pausedBy?: PartSwitch;
};

/** The tokens that a trade on these terms passes through. */
export function middlesOfTerms({ route }: Pick<TradeTerms, 'route'>): readonly Address[] {
  return [...new Set(route.flatMap(({ to }) => (to === null ? [] : [to])))];
}

export type BuyParams = {
  readonly kind: 'buy';
  readonly mint: Address;
  /** Lamports the user gives up for the trade, platform fee included; network fee and rent come on top. */
  readonly lamportsIn: bigint;
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
  /** The order that wants it; absent where a person does at this moment. */
  readonly order?: OrderChild;
  /** Orders wait for what it brings. */
  readonly wakesOrders?: true;
};

export type SellParams = {
  readonly kind: 'sell';
  readonly mint: Address;
  readonly amountIn: bigint;
  readonly terms: TradeTerms;
  readonly tier: PriorityTier;
  readonly order?: OrderChild;
};

/** The firing that an intent carries out: the order, and the how-manieth time it fires. */
export type OrderChild = { readonly id: string; readonly n: number };

/** What orders that wait for an intent name: the order that wants it, or itself. Null where none can wait. */
export function parentKeyOf({
  id,
  params,
}: {
  readonly id: string;
  readonly params: IntentParams;
}): string | null {
  if (params.kind !== 'buy') return null;
  if (params.order !== undefined) return parentOrderKey(params.order.id);
  return params.wakesOrders === true ? id : null;
}

/** Names a limit order as the parent of orders that wait for it: of its buy, whichever fire that is. */
export function parentOrderKey(orderId: string): string {
  return `order:${orderId}`;
}

/** The firing that params carry out; null for what no order wanted. */
export function orderOf(params: IntentParams): OrderChild | null {
  return params.kind === 'buy' || params.kind === 'sell' ? (params.order ?? null) : null;
}

export type PayoutParams = {
  readonly kind: 'payout';
  readonly items: readonly {
    readonly inviterId: string;
    readonly recipient: Address;
    readonly lamports: bigint;
  }[];
};

/**
 * The first half of a creation that is more than one transaction holds: the mint with its extensions and metadata, and no
 * supply. When it is final the second half is an intent of its own, written in the same commit.
 */
export type PrepareTokenParams = {
  readonly kind: 'prepare-token';
  /** The whole creation as it was agreed. */
  readonly creation: CreateTokenParams;
  readonly tier: PriorityTier;
};

/** What the first half of a creation left: the mint, and what it took for it. */
export type PreparedMint = {
  readonly mint: Address;
  readonly rentLamports: bigint;
  readonly feeLamports: bigint;
};

export type CreateTokenParams = {
  readonly kind: 'create-token';
  /** Absent: the mint is made in the same transaction. */
  readonly prepared?: PreparedMint;
  readonly spec: TokenSpec;
  readonly way: MetadataWay;
  readonly uri: string;
  /** SHA-256 of the metadata document that we serve, in hexadecimal digits; null when the URI is the creator's own. */
  readonly metadataHash: string | null;
  /** The Metaplex record's rent and fee at most; 0 for other ways. */
  readonly recordLamports: bigint;
  readonly mintRentLamports: bigint;
  readonly holdingRentLamports: bigint;
  /** The platform's fee at most, paid in the creating transaction or not at all. */
  readonly feeLamports: bigint;
  readonly tier: PriorityTier;
};

export type RevokeAuthorityParams = {
  readonly kind: 'revoke-authority';
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly authority: RevocableAuthority;
  /** The mint's Metaplex record, where `update` means that; null for metadata inside the mint. */
  readonly record: Address | null;
  readonly tier: PriorityTier;
};

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
};

export type LaunchFirstBuy = {
  readonly lamports: bigint;
  readonly quotedTokens: bigint;
  /** The least that may arrive. */
  readonly minTokens: bigint;
  readonly slippageBps: number;
};

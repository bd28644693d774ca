import type { Address } from '@tradepost/solana';
import { keysOf } from '../../../core/records.ts';
import type { CapUse } from '../../../modules/guard/rules/cap.ts';
import type { OrderChild } from '../../../modules/orders/rules/order-child.ts';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { TipTerms } from '../rules/tip-terms.ts';
import { buy } from './buy/rules.ts';
import { closeAccounts } from './close-accounts/rules.ts';
import type { PreparedMint } from './create-token/params.ts';
import { createToken } from './create-token/rules.ts';
import { type AgreedTrade, feesOf, type KindRules } from './kind.ts';
import { launch } from './launch/rules.ts';
import type { IntentKind, IntentParams, ParamsByKind } from './params.ts';
import { payout } from './payout/rules.ts';
import { prepareToken } from './prepare-token/rules.ts';
import { revokeAuthority } from './revoke-authority/rules.ts';
import { sell } from './sell/rules.ts';
import { withdrawSol } from './withdraw-sol/rules.ts';
import { withdrawToken } from './withdraw-token/rules.ts';

/**
 * The answers of each kind of intent to shared code. Shared code asks here and never which kind it is. A kind that is missing does not
 * compile, and is not signed.
 */
export const RULES: { readonly [K in IntentKind]: KindRules<ParamsByKind[K]> } = {
  'withdraw-sol': withdrawSol,
  'withdraw-token': withdrawToken,
  buy,
  sell,
  payout,
  'prepare-token': prepareToken,
  'create-token': createToken,
  'revoke-authority': revokeAuthority,
  launch,
  'close-accounts': closeAccounts,
};

export const INTENT_KINDS: readonly IntentKind[] = keysOf(RULES);

/** The rules of a kind. The caller passes them params of that very kind. */
export function rulesOf(kind: IntentKind): KindRules<IntentParams> {
  return RULES[kind];
}

/** The trade that an intent is; null for one that is none. */
export function tradeOf(params: IntentParams): AgreedTrade | null {
  return rulesOf(params.kind).tradeOf?.(params) ?? null;
}

/** The platform's fee that an intent carries, in lamports, at most; 0 where it carries none. */
export function agreedFee(params: IntentParams): bigint {
  const trade = tradeOf(params);
  if (trade !== null) return trade.terms.platformFeeLamports;
  return rulesOf(params.kind).fee !== null && 'feeLamports' in params ? params.feeLamports : 0n;
}

/** The tip that was confirmed with an intent; undefined for one without. */
export function tipOf(params: IntentParams): TipTerms | undefined {
  return rulesOf(params.kind).policy.tipOf?.(params);
}

/** The most that network and sender may take, in lamports, for it and for an intent that follows it without another gate. */
export function feesUpTo(params: IntentParams): bigint {
  const rules = rulesOf(params.kind);
  const tier = rules.policy.tierOf(params);
  // A transaction that fails gives its tip back with all else, so that one tip is paid at most.
  return (
    feesOf(rules, tier) +
    (rules.policy.tipOf?.(params)?.atMost ?? 0n) +
    (rules.followedBy === undefined ? 0n : feesOf(rulesOf(rules.followedBy), tier))
  );
}

/** The same intent at another priority; as it is where that is never changed. */
export function atTier(params: IntentParams, tier: PriorityTier): IntentParams {
  return rulesOf(params.kind).atTier?.(params, tier) ?? params;
}

/** The firing of an order that an intent carries out; null for an intent without an order. */
export function orderOf(params: IntentParams): OrderChild | null {
  return rulesOf(params.kind).orderOf?.(params) ?? null;
}

/** Whether orders wait for an intent's proceeds. */
export function hasLegs(params: IntentParams): boolean {
  return rulesOf(params.kind).hasLegs?.(params) ?? false;
}

/** The same intent with orders that wait for its proceeds; unchanged where none can. */
export function withLegs(params: IntentParams): IntentParams {
  return rulesOf(params.kind).withLegs?.(params) ?? params;
}

/** The recipient of a withdrawal; null for any other intent. */
export function recipientOf(params: IntentParams): Address | null {
  return rulesOf(params.kind).recipientOf?.(params) ?? null;
}

const NOTHING_LEAVES: CapUse = { lamports: 0n, unpriced: 0 };

/** What leaves by a withdrawal, as its person's day counts it; nothing for any other intent. */
export function withdrawnBy(params: IntentParams): CapUse {
  return rulesOf(params.kind).withdraws?.(params) ?? NOTHING_LEAVES;
}

/** The mint that an earlier transaction of the same creation left for this intent to fill; null where there was none. */
export function preparedOf(params: IntentParams): PreparedMint | null {
  return rulesOf(params.kind).preparedOf?.(params) ?? null;
}

import { minBigint } from '@tradepost/solana';
import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { Sender } from '../../../platform/ports/sender.ts';
import type { Sending } from '../../settings/rules/settings.ts';

export type OfferTipDeps = {
  readonly senders: readonly Sender[];
  readonly tipCapLamports: bigint;
  /** From 0 to 1: spreads tips over a sender's accounts, which one block writes one after the other. */
  readonly random: () => number;
};

/** `down`: the person wants protection and no sender that protects answers. */
export type TipOffer =
  | { readonly kind: 'none' }
  | { readonly kind: 'down' }
  | { readonly kind: 'tip'; readonly tip: TipTerms };

/** Attempts after the first may pay up to so many times the first one's tip. */
const RAISES = 2n;

/**
 * The tip of a transaction that is sent so. Normal pays none, and neither does Fast where no sender is configured or answers: the nodes
 * have it then. Never above the operator's cap. Changes nothing anywhere.
 */
export async function offerTip(
  { senders, tipCapLamports, random }: OfferTipDeps,
  sending: Sending,
): Promise<TipOffer> {
  if (sending === 'normal') return { kind: 'none' };
  const protects = sending === 'protected';
  const sender = protects
    ? senders.find((one) => one.protects)
    : (senders.find(({ name }) => name === 'sender') ?? senders[0]);
  const away: TipOffer = { kind: protects ? 'down' : 'none' };
  if (sender === undefined || sender.name === 'rpc') return away;
  const lamports = await sender.tip().catch(() => null);
  const to = sender.tipAccounts[Math.floor(random() * sender.tipAccounts.length)];
  if (lamports === null || to === undefined || sender.minTip > tipCapLamports) return away;
  const paid = minBigint(lamports, tipCapLamports);
  return {
    kind: 'tip',
    tip: {
      sender: sender.name,
      protects,
      to,
      lamports: paid,
      atMost: minBigint(paid * RAISES, tipCapLamports),
    },
  };
}

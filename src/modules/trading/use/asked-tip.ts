import type { TipTerms } from '../../../engine/intents/rules/tip-terms.ts';
import type { Sender } from '../../../platform/ports/sender.ts';
import type { OfferTipDeps } from './offer-tip.ts';

/** A sender as a caller may choose it. Lamports. */
export type SenderFacts = {
  readonly name: Sender['name'];
  /** Whether bytes that go to it alone are public only after they land. */
  readonly protects: boolean;
  readonly leastTipLamports: bigint;
  readonly mostTipLamports: bigint;
  readonly tipAccounts: readonly string[];
};

/** The tip that a caller asks for, or why there is none. `none`: nothing was asked for. */
export type AskedTip =
  | { readonly kind: 'none' }
  | { readonly kind: 'tip'; readonly tip: TipTerms }
  | { readonly kind: 'unknown'; readonly known: readonly string[] }
  | { readonly kind: 'too-small'; readonly least: bigint }
  | { readonly kind: 'too-large'; readonly most: bigint };

/** The nodes first, which take no tip, and every configured sender beside them. */
export function senderFacts({
  senders,
  tipCapLamports,
}: Pick<OfferTipDeps, 'senders' | 'tipCapLamports'>): readonly SenderFacts[] {
  const tipped = senders.map(({ name, protects, minTip, tipAccounts }) => ({
    name,
    protects,
    leastTipLamports: minTip,
    mostTipLamports: tipCapLamports,
    tipAccounts,
  }));
  const nodes = { protects: false, leastTipLamports: 0n, mostTipLamports: 0n, tipAccounts: [] };
  return [{ name: 'rpc', ...nodes }, ...tipped];
}

/**
 * The tip of exactly so many lamports to one of the named sender's accounts, within its least and the operator's cap. The account is
 * drawn, because one block writes to an account one transaction after the other. Changes nothing anywhere.
 */
export function askedTip(
  { senders, tipCapLamports, random }: OfferTipDeps,
  { sender: name, lamports }: { readonly sender: string; readonly lamports: bigint },
): AskedTip {
  if (name === 'rpc') return lamports === 0n ? { kind: 'none' } : { kind: 'too-large', most: 0n };
  const sender = senders.find((one) => one.name === name);
  const to = sender?.tipAccounts[Math.floor(random() * sender.tipAccounts.length)];
  if (sender === undefined || sender.name === 'rpc' || to === undefined)
    return { kind: 'unknown', known: senderFacts({ senders, tipCapLamports }).map((one) => one.name) };
  if (lamports < sender.minTip) return { kind: 'too-small', least: sender.minTip };
  if (lamports > tipCapLamports) return { kind: 'too-large', most: tipCapLamports };
  const { protects } = sender;
  return { kind: 'tip', tip: { sender: sender.name, protects, to, lamports, atMost: lamports } };
}

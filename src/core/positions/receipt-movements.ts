import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import type { Intent, LandedReceipt } from '../intents/intent.ts';
import { middlesOfTerms, type TradeTerms } from '../intents/terms.ts';
import type { Movement } from './classify.ts';

/** What a receipt's intent says beside the receipt. */
export type ReceiptFacts = {
  readonly intent: Pick<Intent, 'id' | 'params' | 'walletId'>;
  /** Terms in force when it was signed; null for what is no trade. */
  readonly terms: TradeTerms | null;
  readonly receipt: LandedReceipt;
  /** It landed with an error: only the fee was taken. */
  readonly failed: boolean;
  readonly final: boolean;
  /** Epoch milliseconds, where the block has no time. */
  readonly now: number;
  /** The wallet of the same person that a token withdrawal went to, or null. */
  readonly ownRecipient: { readonly walletId: string } | null;
};

/** The mint that was traded, and the mints that the route passed through. */
export function tradeMovements(
  facts: ReceiptFacts,
  {
    side,
    mint,
    terms,
  }: { readonly side: 'buy' | 'sell'; readonly mint: Address; readonly terms: TradeTerms },
): readonly Movement[] {
  return [
    movement(facts, mint, { ours: side, flowLamports: flowOf(facts.receipt) }),
    ...middlesOfTerms(facts.terms ?? terms)
      .filter((middle) => middle !== WSOL_MINT && middle !== mint)
      .map((middle) => movement(facts, middle, { ours: 'passed-through' })),
  ];
}

/** Both halves of a transfer between wallets of one person, or the one half of a withdrawal. Wrapped SOL is no position. */
export function transferMovements(facts: ReceiptFacts, mint: Address): readonly Movement[] {
  if (mint === WSOL_MINT) return [];
  const { ownRecipient, receipt } = facts;
  const counterparty = ownRecipient === null ? 'other' : 'own-wallet';
  const out = movement(facts, mint, { counterparty });
  if (ownRecipient === null || ownRecipient.walletId === out.walletId) return [out];
  const units = facts.failed ? 0n : (receipt.arrivedUnits ?? 0n);
  return [out, { ...out, walletId: ownRecipient.walletId, units }];
}

/** What the wallet's units of the mint did, out of the receipt; `more` says what the intent knows of it. */
export function movement(
  { intent, receipt, failed, final, now }: ReceiptFacts,
  mint: Address,
  more: Partial<Movement>,
): Movement {
  const units = receipt.tokenDeltas
    .filter((change) => change.mint === mint)
    .reduce((sum, { delta }) => sum + delta, 0n);
  return {
    walletId: intent.walletId,
    mint,
    signature: receipt.signature,
    slot: receipt.slot,
    at: receipt.landedAt ?? now,
    final,
    units: failed ? 0n : units,
    flowLamports: 0n,
    failed,
    ours: null,
    counterparty: 'none',
    signedByWallet: true,
    knownMint: true,
    valueLamports: null,
    ...more,
  };
}

/** What the trade itself moved: rent that comes back is no cost. */
export const flowOf = (receipt: LandedReceipt): bigint => receipt.walletLamportsDelta + receipt.rentLamports;

import { type Address, WSOL_MINT } from '@tradepost/solana';
import { rulesOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import { intermediatesOfTerms, type TradeTerms } from '../../../engine/intents/rules/terms.ts';
import type { RecordedEvent } from '../store/position-store-port.ts';
import { classify, type Movement } from './classify.ts';

/** Facts of a receipt's intent that the receipt lacks. */
export type ReceiptFacts = {
  readonly intent: Pick<Intent, 'id' | 'params' | 'walletId'>;
  /** Terms in force when it was signed; null for an intent that is no trade. */
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

/** The events of a transaction that the service itself signed, from chain data. Wrapped SOL is money and no position. */
export function eventsOfReceipt(facts: ReceiptFacts): readonly RecordedEvent[] {
  const { intent, receipt } = facts;
  const costs = {
    intentId: intent.id,
    networkFeeLamports: receipt.feeLamports,
    platformFeeLamports: receipt.platformFeeLamports,
    rentLamports: receipt.rentLamports,
  };
  const free = { ...costs, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
  return movementsOf(facts).flatMap((movement, index) => {
    const event = classify(movement);
    // The costs are written once, at the mint that the person asked for: the first movement.
    return event === null ? [] : [{ ...event, ...(index === 0 ? costs : free) }];
  });
}

function movementsOf(facts: ReceiptFacts): readonly Movement[] {
  const { receipt } = facts;
  const { params } = facts.intent;
  const move = rulesOf(params.kind).tokenMoveOf?.(params, receipt) ?? null;
  if (move === null || move.mint === WSOL_MINT) return [];
  if (move.as === null) return transfer(facts, move.mint);
  const terms = facts.terms ?? tradeOf(params)?.terms ?? null;
  const intermediates = terms === null ? [] : intermediatesOfTerms(terms);
  return [
    movement(facts, move.mint, { ours: move.as, flowLamports: move.flowLamports }),
    ...intermediates
      .filter((mint) => mint !== WSOL_MINT && mint !== move.mint)
      .map((mint) => movement(facts, mint, { ours: 'passed-through' })),
  ];
}

/** Both halves of a transfer between wallets of one person, or the one half of a withdrawal. */
function transfer(facts: ReceiptFacts, mint: Address): readonly Movement[] {
  const { ownRecipient, receipt } = facts;
  const counterparty = ownRecipient === null ? 'other' : 'own-wallet';
  const out = movement(facts, mint, { counterparty });
  if (ownRecipient === null || ownRecipient.walletId === out.walletId) return [out];
  const units = facts.failed ? 0n : (receipt.arrivedUnits ?? 0n);
  return [out, { ...out, walletId: ownRecipient.walletId, units }];
}

function movement(
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

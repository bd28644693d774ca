import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import type { Intent, LandedReceipt } from '../intents/intent.ts';
import { middlesOfTerms, type TradeTerms } from '../intents/terms.ts';
import type { RecordedEvent } from '../ports/position-store.ts';
import { classify, type Movement } from './classify.ts';

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

/**
 * The events of what the service itself signed, from chain data. Wrapped SOL is money and no position. A creation's cost is what
 * left the wallet less the rent of the holder's account, which comes back when that is closed; the first half of a creation in
 * two is a part of it.
 */
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
    // The costs stand once, at what the person asked for: the first movement.
    return event === null ? [] : [{ ...event, ...(index === 0 ? costs : free) }];
  });
}

function movementsOf(facts: ReceiptFacts): readonly Movement[] {
  const { receipt } = facts;
  const { params } = facts.intent;
  switch (params.kind) {
    case 'buy':
    case 'sell':
      return [
        movement(facts, params.mint, { ours: params.kind, flowLamports: flowOf(receipt) }),
        ...middlesOfTerms(facts.terms ?? params.terms)
          .filter((mint) => mint !== WSOL_MINT && mint !== params.mint)
          .map((mint) => movement(facts, mint, { ours: 'passed-through' })),
      ];
    case 'launch':
      return receipt.createdMint === undefined
        ? []
        : [movement(facts, receipt.createdMint, { ours: 'buy', flowLamports: flowOf(receipt) })];
    case 'create-token': {
      const mint = receipt.createdMint ?? params.prepared?.mint;
      const earlier = (params.prepared?.rentLamports ?? 0n) + (params.prepared?.feeLamports ?? 0n);
      const flowLamports = receipt.walletLamportsDelta + params.holdingRentLamports - earlier;
      return mint === undefined ? [] : [movement(facts, mint, { ours: 'creation', flowLamports })];
    }
    case 'withdraw-token':
      return params.mint === WSOL_MINT ? [] : transfer(facts, params.mint);
    case 'withdraw-sol':
    case 'payout':
    case 'prepare-token':
    case 'revoke-authority':
      return [];
  }
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

const flowOf = (receipt: LandedReceipt): bigint => receipt.walletLamportsDelta + receipt.rentLamports;

import { maxBigint } from '@tradepost/solana';
import type { PositionEvent } from './position.ts';

/** The effect of one transaction on one mint in one wallet, as read from the chain and from the service's own records. */
export type Movement = Pick<PositionEvent, 'walletId' | 'mint' | 'signature' | 'slot' | 'at' | 'final'> & {
  /** Change of the units the wallet holds, signed. */
  readonly units: bigint;
  /** The receipt's `walletLamportsDelta + rentLamports`, signed. */
  readonly flowLamports: bigint;
  /** The chain's error. The fee paid for it is in `flowLamports`. */
  readonly failed: boolean;
  /** The service itself sent the transaction. This mint is the one bought, sold or made, or one that a trade passed through. */
  readonly ours: 'buy' | 'sell' | 'creation' | 'passed-through' | null;
  /** The other side, as far as it can be known. */
  readonly counterparty: 'own-wallet' | 'other' | 'none';
  /** The wallet itself is among the transaction's signers. */
  readonly signedByWallet: boolean;
  /** This wallet has bought or made this mint before, at an earlier place in the order. */
  readonly knownMint: boolean;
  /** The value in lamports, at the time, of the units that came; null = no market. */
  readonly valueLamports: bigint | null;
};

/**
 * The event that a movement is; null when nothing happened that a position shows. Units that left without the wallet's signature, or for no
 * other account, were taken. Units that came unasked, of a mint never bought, are an airdrop. So a stranger cannot add a token of his own
 * to a person's totals.
 */
export function classify(movement: Movement): PositionEvent | null {
  const { walletId, mint, signature, slot, at, final } = movement;
  const facts = { walletId, mint, signature, slot, at, final };
  const { flowLamports } = movement;
  const units = movement.units < 0n ? -movement.units : movement.units;
  if (movement.failed) {
    return movement.ours === null || flowLamports >= 0n
      ? null
      : { ...facts, kind: 'failed', feeLamports: -flowLamports };
  }
  if (movement.units === 0n) return null;
  const arrives = movement.units > 0n;
  if (movement.ours === 'buy' && arrives) return { ...facts, kind: 'buy', units, flowLamports };
  if (movement.ours === 'sell' && !arrives) return { ...facts, kind: 'sell', units, flowLamports };
  if (movement.ours === 'creation' && arrives) {
    return { ...facts, kind: 'creation', units, costLamports: -flowLamports };
  }
  if (movement.ours === 'passed-through' && arrives) return { ...facts, kind: 'remainder', units };
  // Ours, and yet in the wrong direction. Nothing explains it, so it is shown as it is.
  if (movement.ours !== null) return { ...facts, kind: 'adjustment', units: movement.units };
  if (movement.counterparty === 'own-wallet') {
    return { ...facts, kind: arrives ? 'own-in' : 'own-out', units };
  }
  if (arrives) {
    // Unasked and never bought: see above.
    if (!movement.signedByWallet && !movement.knownMint) return { ...facts, kind: 'airdrop', units };
    // Below zero where a sale would cost more than it brings. Such a sale need not be made, so the value is zero.
    const valueLamports = maxBigint(0n, movement.valueLamports ?? 0n);
    return { ...facts, kind: 'received', units, valueLamports, revision: 0 };
  }
  const given = movement.signedByWallet && movement.counterparty === 'other';
  return { ...facts, kind: given ? 'withdrawn' : 'taken', units };
}

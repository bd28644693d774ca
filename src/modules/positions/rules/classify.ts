import { maxBigint } from '../../../core/amounts/rounding.ts';
import type { PositionEvent } from './position.ts';

/** What one transaction did with one mint in one wallet, as it was read from the chain and from the service's own records. */
export type Movement = Pick<PositionEvent, 'walletId' | 'mint' | 'signature' | 'slot' | 'at' | 'final'> & {
  /** Change of the units the wallet holds, signed. */
  readonly units: bigint;
  /** The receipt's `walletLamportsDelta + rentLamports`, signed. */
  readonly flowLamports: bigint;
  /** The chain's error; what was paid for it is in `flowLamports`. */
  readonly failed: boolean;
  /** What the service itself sent: this mint is what was bought, sold or made, or a mint that a trade passed through. */
  readonly ours: 'buy' | 'sell' | 'creation' | 'passed-through' | null;
  /** Who the other side is, as far as it can be told. */
  readonly counterparty: 'own-wallet' | 'other' | 'none';
  /** The wallet itself is among the transaction's signers. */
  readonly signedByWallet: boolean;
  /** This wallet has bought or made this mint before, at an earlier place in the order. */
  readonly knownMint: boolean;
  /** What the units that came would have brought then; null = no market. */
  readonly valueLamports: bigint | null;
};

/**
 * The event that a movement is; null when nothing happened that a position shows. What nobody signed for and what left for no
 * other account was taken; what came unasked and was never bought is an airdrop, so a stranger cannot put a token of his own
 * into anybody's totals.
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
  // Ours, and yet against what was wanted: nothing explains it, so it is shown as it is.
  if (movement.ours !== null) return { ...facts, kind: 'adjustment', units: movement.units };
  if (movement.counterparty === 'own-wallet') {
    return { ...facts, kind: arrives ? 'own-in' : 'own-out', units };
  }
  if (arrives) {
    // Unasked and never bought: see above.
    if (!movement.signedByWallet && !movement.knownMint) return { ...facts, kind: 'airdrop', units };
    // Below zero where a sale would cost more than it brings: nobody has to make it.
    const valueLamports = maxBigint(0n, movement.valueLamports ?? 0n);
    return { ...facts, kind: 'received', units, valueLamports, revision: 0 };
  }
  const given = movement.signedByWallet && movement.counterparty === 'other';
  return { ...facts, kind: given ? 'withdrawn' : 'taken', units };
}

import { type Address, WSOL_MINT } from '@tradepost/solana';
import { lamportsDelta, tokenDelta } from '../../../engine/intents/rules/landed-sums.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';

/** The gain of a wallet in one transaction: lamports, or units of a mint. */
export type Arrival = { readonly asset: Address | 'SOL'; readonly units: bigint };

/** 0.001 SOL. Less costs a stranger less than the notice is worth as an advertisement. */
export const SMALLEST_LAMPORTS = 1_000_000n;
/** 0.01 SOL from a sale now: from this value on, a token that was never bought here is reported. */
export const SMALLEST_STRANGER_LAMPORTS = 10_000_000n;
/** A person is notified of so many within an hour; more are kept without a notice. */
export const MOST_PER_HOUR = 20;
/** 0.1 SOL is always reported, however many there were. So a deposit cannot be hidden behind a heap of small ones. */
export const ALWAYS_TOLD_LAMPORTS = 100_000_000n;

/**
 * The arrivals that a stranger's transaction brought to a wallet. None where the wallet itself signed: its own act is no deposit, and its
 * owner knows of it. The signers come first in a transaction's accounts. Wrapped SOL is money on its way and is never reported.
 */
export function arrivalsOf(landed: LandedTransaction, wallet: Address): readonly Arrival[] {
  if (landed.err !== null || signedBy(landed, wallet)) return [];
  const lamports = lamportsDelta(landed, wallet);
  const mints = new Set(
    landed.tokenBalances
      .filter(({ owner, mint }) => owner === wallet && mint !== WSOL_MINT)
      .map(({ mint }) => mint),
  );
  return [
    ...(lamports >= SMALLEST_LAMPORTS ? [{ asset: 'SOL' as const, units: lamports }] : []),
    ...[...mints]
      .toSorted()
      .map((mint) => ({ asset: mint, units: tokenDelta(landed, wallet, mint) }))
      .filter(({ units }) => units > 0n),
  ];
}

export const signedBy = (landed: LandedTransaction, wallet: Address): boolean =>
  landed.balances.slice(0, landed.signatureCount).some(({ address }) => address === wallet);

/** Token accounts of the wallet that a transaction names. A later transfer to them need not name the wallet. */
export function tokenAccountsOf(
  landed: LandedTransaction,
  wallet: Address,
): readonly { readonly account: Address; readonly units: bigint }[] {
  return landed.tokenBalances
    .filter(({ owner, mint }) => owner === wallet && mint !== WSOL_MINT)
    .map(({ account, after }) => ({ account, units: after }));
}

/**
 * Whether an arrival of a token is reported. `worth`: lamports from a sale, null = no market. A token that was bought or made here is
 * reported unless it is dust. Any other is reported only where it is worth something, since anybody can send a token of his own with a lure
 * for a name.
 */
export function isTold(token: { readonly known: boolean; readonly worth: bigint | null }): boolean {
  const { known, worth } = token;
  if (known) return worth === null || worth >= SMALLEST_LAMPORTS;
  return worth !== null && worth >= SMALLEST_STRANGER_LAMPORTS;
}

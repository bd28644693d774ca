import { LAMPORTS_PER_SIGNATURE, maxBigint } from '@tradepost/solana';
import type { NeededParts } from '../../../core/errors/details.ts';

/** The lamports that a swap takes of its wallet, apart from the network fee. */
export type SwapFunds = {
  /** SOL sold; 0 where a token is. */
  readonly amount: bigint;
  /** Paid to a sender; 0 where none is. */
  readonly tip: bigint;
  /** Rent of accounts that stay open. */
  readonly keptRent: bigint;
  /** Rent of accounts that the swap opens and closes again. */
  readonly passingRent: bigint;
  /** The least that a wallet which keeps anything must keep: read from the chain, where rents fall. */
  readonly walletMinimum: bigint;
};

/**
 * All that a wallet must hold so that the swap lands at the highest fee of its tier. The rent that passes through comes back, so
 * it serves as the minimum too.
 */
export function neededParts(funds: SwapFunds, highestFee: bigint): NeededParts {
  const { amount, tip, keptRent, passingRent, walletMinimum } = funds;
  return {
    amount,
    accountRent: keptRent,
    networkFee: highestFee,
    tip,
    temporary: maxBigint(passingRent, walletMinimum),
  };
}

export const neededLamports = ({ amount, accountRent, networkFee, tip, temporary }: NeededParts): bigint =>
  amount + accountRent + networkFee + tip + temporary;

/** The lamports that every fee and every state of the chain need: below them nothing is worth simulating. */
export function leastLamports({ amount, tip, keptRent, passingRent }: SwapFunds, signatures: number): bigint {
  return amount + tip + keptRent + passingRent + BigInt(signatures) * LAMPORTS_PER_SIGNATURE;
}

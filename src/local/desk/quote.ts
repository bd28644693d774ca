import { minBigint, type TransferFee, transferFee } from '@tradepost/solana';

export type QuoteTerms = {
  readonly vaultIn: bigint;
  readonly vaultOut: bigint;
  readonly virtualIn: bigint;
  readonly virtualOut: bigint;
  readonly feeBps: number;
  /** The input mint's own transfer fee and the epoch it is judged in. */
  readonly inputTransferFee: TransferFee | null;
  readonly epoch: bigint;
};

/**
 * The most that may leave the output vault for `amountIn` leaving the trader. The desk's fee, rounded up, is taken from the amount that
 * arrives at the vault; the rest buys along x·y = k over vault plus virtual reserves, rounded down; never above the vault. The amount that
 * a Token-2022 output mint withholds on the way out is the trader's to bear and not subtracted here.
 */
export function deskQuote(terms: QuoteTerms, amountIn: bigint): bigint {
  const arrived = amountIn - transferFee(terms.inputTransferFee, amountIn, terms.epoch);
  const fee = (arrived * BigInt(terms.feeBps) + 9_999n) / 10_000n;
  const net = arrived - fee;
  if (net <= 0n) return 0n;
  const reserveIn = terms.vaultIn + terms.virtualIn;
  const reserveOut = terms.vaultOut + terms.virtualOut;
  const out = (net * reserveOut) / (reserveIn + net);
  return minBigint(out, terms.vaultOut);
}

import type { Gain } from '@tradepost/router';
import {
  maxBigint,
  minBigint,
  mulDivCeil,
  mulDivFloor,
  type TransferFee,
  transferFee,
} from '@tradepost/solana';

/** One direction of a desk pool: balances of its vaults, and reserves that only the price knows. */
export type DeskSide = {
  readonly vaultIn: bigint;
  readonly vaultOut: bigint;
  readonly virtualIn: bigint;
  readonly virtualOut: bigint;
  readonly feeBps: number;
  readonly transferFeeIn: TransferFee | null;
  readonly transferFeeOut: TransferFee | null;
  readonly epoch: bigint;
};

/**
 * Units that leave the output vault for `amountIn` leaving the trader. The desk's fee, rounded up, comes out of the amount that arrives;
 * the rest buys along x·y = k, rounded down; never above the vault. Source of truth: the desk's own rule.
 */
export function grossOut(side: DeskSide, amountIn: bigint): bigint {
  const arrived = amountIn - transferFee(side.transferFeeIn, amountIn, side.epoch);
  const net = arrived - mulDivCeil(arrived, BigInt(side.feeBps), 10_000n);
  if (net <= 0n) return 0n;
  const reserveIn = side.vaultIn + side.virtualIn;
  const out = mulDivFloor(net, side.vaultOut + side.virtualOut, reserveIn + net);
  return minBigint(out, side.vaultOut);
}

/** Units that reach the trader: the gross output less its mint's withheld part. */
export function netOut(side: DeskSide, amountIn: bigint): bigint {
  const gross = grossOut(side, amountIn);
  return maxBigint(0n, gross - transferFee(side.transferFeeOut, gross, side.epoch));
}

/** Output per input at zero size with every proportional fee. */
export function spotRate(side: DeskSide): { readonly numerator: bigint; readonly denominator: bigint } {
  const kept = (bps: number) => BigInt(10_000 - bps);
  const rateIn = kept(rateBps(side.transferFeeIn, side.epoch));
  const rateOut = kept(rateBps(side.transferFeeOut, side.epoch));
  return {
    numerator: (side.vaultOut + side.virtualOut) * rateIn * kept(side.feeBps) * rateOut,
    denominator: (side.vaultIn + side.virtualIn) * 10_000n ** 3n,
  };
}

/** The same fees as floating parts of input and output, for the router's search. */
export function gainOf(side: DeskSide): Gain {
  const kept = (bps: number) => 1 - bps / 10_000;
  return {
    in: kept(rateBps(side.transferFeeIn, side.epoch)) * kept(side.feeBps),
    out: kept(rateBps(side.transferFeeOut, side.epoch)),
  };
}

function rateBps(schedule: TransferFee | null, epoch: bigint): number {
  if (schedule === null) return 0;
  return epoch >= schedule.newerEpoch ? schedule.newer.bps : schedule.older.bps;
}

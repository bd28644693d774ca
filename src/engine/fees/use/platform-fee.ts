import type { Address } from '@tradepost/solana';
import { type Bps, bpsCeil, bpsFloor } from '../../../core/amounts/bps.ts';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { FeesAt } from '../rules/fee-table.ts';

/** A treasury that was once above the minimum stays there; below it, a deposit is noticed within this time. */
const RECHECK_MS = 5_000;

/** `lamports`, or 0 while the treasury could not receive so little. */
export type ReceivableFee = (lamports: bigint) => Promise<bigint>;

/**
 * A fee as the quote must show it and the transaction must carry it. Zero while the treasury could not receive it: a transfer
 * that leaves an account with less than the rent-exempt minimum fails, and with it everything the person wanted.
 */
export function createReceivableFee(deps: {
  readonly chain: Pick<Chain, 'balance' | 'rentExemption'>;
  readonly clock: Clock;
  readonly treasury: Address;
}): ReceivableFee {
  let seen: { readonly lamports: bigint; readonly at: Mark } | null = null;

  async function treasuryBalance(minimum: bigint): Promise<bigint> {
    const isFunded = seen !== null && seen.lamports >= minimum;
    if (seen === null || elapsedSince(seen.at, deps.clock) > (isFunded ? RECHECK_MS * 12 : RECHECK_MS)) {
      seen = { lamports: await deps.chain.balance(deps.treasury), at: markOf(deps.clock) };
    }
    return seen.lamports;
  }

  return async (fee) => {
    if (fee === 0n) return fee;
    const minimum = await deps.chain.rentExemption(0);
    return fee >= minimum || (await treasuryBalance(minimum)) + fee >= minimum ? fee : 0n;
  };
}

export type Fee = {
  readonly lamports: bigint;
  /** Part of the ordinary fee that is let off; 0 without a discount. */
  readonly discountBps: Bps;
};

/**
 * The fee on the SOL side of a trade of `wallet`, rounded down, less its owner's discount, rounded up: both in favour of the
 * person. Only when the treasury can receive it.
 */
export type PlatformFee = (amountLamports: bigint, wallet: Address) => Promise<Fee>;

export function createPlatformFee(
  deps: Parameters<typeof createReceivableFee>[0] & {
    readonly fees: FeesAt;
    /** The discount of the wallet's owner now. */
    readonly discountBps: (wallet: Address) => Promise<Bps>;
  },
): PlatformFee {
  const receivable = createReceivableFee(deps);
  return async (amountLamports, wallet) => {
    const discountBps = await deps.discountBps(wallet);
    const full = bpsFloor(amountLamports, deps.fees(deps.clock.now()).tradeBps);
    return { lamports: await receivable(full - bpsCeil(full, discountBps)), discountBps };
  };
}

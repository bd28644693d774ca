import type { Address } from '../../core/address/address.ts';
import { type Bps, bpsFloor } from '../../core/amounts/bps.ts';
import { RENT_EXEMPT_MINIMUM } from '../../core/amounts/lamports.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';

/** A treasury that was once above the minimum stays there; below it, a deposit is noticed within this time. */
const RECHECK_MS = 5_000;

export type PlatformFee = (amountLamports: bigint) => Promise<bigint>;

/**
 * The fee on the SOL side of a trade, rounded down, as the quote must show it and the trade must carry it. Zero while the
 * treasury could not receive it: a transfer that leaves an account with less than the rent-exempt minimum fails, and with
 * it the person's whole trade.
 */
export function createPlatformFee(deps: {
  readonly chain: Pick<Chain, 'balance'>;
  readonly clock: Clock;
  readonly treasury: Address;
  readonly feeBps: Bps;
}): PlatformFee {
  let seen: { readonly lamports: bigint; readonly at: number } | null = null;

  async function treasuryBalance(): Promise<bigint> {
    const now = deps.clock.now();
    const isFunded = seen !== null && seen.lamports >= RENT_EXEMPT_MINIMUM;
    if (seen === null || now - seen.at > (isFunded ? RECHECK_MS * 12 : RECHECK_MS)) {
      seen = { lamports: await deps.chain.balance(deps.treasury), at: now };
    }
    return seen.lamports;
  }

  return async (amountLamports) => {
    const fee = bpsFloor(amountLamports, deps.feeBps);
    if (fee === 0n || fee >= RENT_EXEMPT_MINIMUM) return fee;
    return (await treasuryBalance()) + fee >= RENT_EXEMPT_MINIMUM ? fee : 0n;
  };
}

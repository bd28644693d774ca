import { type Address, MAX_U64 } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';

/** Sizes that a pool is tried at before its first use; its answers at others are checked as they come. */
const TRIED: readonly bigint[] = [1n, 1_000_000n, 1_000_000_000_000n, MAX_U64];

/**
 * The pool with every answer checked. An answer that throws, is no amount, or exceeds the most that the pool can pay out counts as nothing.
 * So does every later answer of this state of the pool. A fault in one venue's code, or state made to provoke one, costs that pool's part
 * of a quote and no more. Null for a pool that talks nonsense at the first try. `onNonsense` gets the fault, once per pool.
 */
export function guardPool(pool: Pool, onNonsense: (problem: unknown) => void): Pool | null {
  let caught = false;
  const tell = (problem: unknown): void => {
    if (!caught) onNonsense(problem);
    caught = true;
  };

  const ask = (mintIn: Address, amountIn: bigint): bigint => {
    const out = pool.quote(mintIn, amountIn);
    const most = mostOut(pool, mintIn);
    if (typeof out !== 'bigint' || out < 0n || out > most) {
      throw new RangeError(`quoted ${String(out)} for ${amountIn} of ${mintIn}, expected 0 to ${most}`);
    }
    return out;
  };
  const quote: Pool['quote'] = (mintIn, amountIn) => {
    // Asking for a token that the pool does not hold is the asker's fault and stays an error.
    if (!pool.mints.includes(mintIn)) return pool.quote(mintIn, amountIn);
    if (caught) return 0n;
    try {
      return ask(mintIn, amountIn);
    } catch (error) {
      tell(error);
      return 0n;
    }
  };

  try {
    for (const mint of pool.mints) {
      for (const amount of TRIED) ask(mint, amount);
      const { numerator, denominator } = pool.spot(mint);
      if (numerator < 0n || denominator <= 0n) {
        throw new RangeError(`prices ${mint} at ${numerator}/${denominator}`);
      }
    }
  } catch (error) {
    tell(error);
    return null;
  }
  return { ...pool, quote };
}

/** The other side's reserves where the shape knows them exactly; the most that the chain can transfer where it does not. */
function mostOut({ mints, shape }: Pool, mintIn: Address): bigint {
  const other = mintIn === mints[0] ? 1 : 0;
  if (shape?.kind === 'constant-product') return shape.reserves[other];
  if (shape?.kind === 'launch-curve') return shape.realReserves[other];
  return MAX_U64;
}

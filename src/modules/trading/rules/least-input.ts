import { maxBigint, minBigint } from '@tradepost/solana';

/** Units that an amount brings, or the most that the pools take where it is more. */
export type Brought = bigint | { readonly most: bigint };

/** Curves are found within some dozens of questions. One that answers in no order ends here, with the least input that is enough so far. */
const MOST_QUESTIONS = 160;
const MOST_UNITS = (1n << 64n) - 1n;

/**
 * The least input that brings at least `wanted`: one unit less brings less. `bring` grows with its input, by steps of any size. `guess`
 * saves questions and changes nothing. Null where no amount of at most 2^64 − 1 units brings that much.
 */
export async function leastInput(
  wanted: bigint,
  bring: (amountIn: bigint) => Promise<Brought>,
  guess: bigint,
): Promise<bigint | null> {
  const found = await bracket(wanted, bring, minBigint(maxBigint(guess, 1n), MOST_UNITS));
  if (found === null) return null;
  let { below, enough, surplus, left } = found;
  let step = 1n;
  for (; left > 0 && enough - below > 1n; left -= 1) {
    // Down by the surplus, then by steps that double: near its end a curve is a straight line.
    const down = maxBigint(surplus, step);
    const isNear = enough - below > 2n * down;
    const next = isNear ? enough - down : (below + enough) / 2n;
    step *= 2n;
    const out = await bring(next);
    if (typeof out === 'bigint' && out >= wanted) {
      surplus = surplusOf(next, out, wanted);
      enough = next;
    } else {
      below = next;
      // From here on halves: the rest is small.
      step = enough;
    }
  }
  return enough;
}

type Bracket = {
  readonly below: bigint;
  readonly enough: bigint;
  /** Input that the output beyond the wanted one cost, at the average rate. */
  readonly surplus: bigint;
  readonly left: number;
};

/** An amount that is too little, and one that is enough. */
async function bracket(
  wanted: bigint,
  bring: (amountIn: bigint) => Promise<Brought>,
  guess: bigint,
): Promise<Bracket | null> {
  let below = 0n;
  let tooMuch = MOST_UNITS + 1n;
  let next = guess;
  // Near the end of a pool the average rate says almost nothing: each answer that is too little doubles the stride.
  let stride = 1n;
  for (let left = MOST_QUESTIONS; left > 0; left -= 1) {
    const out = await bring(next);
    if (typeof out !== 'bigint') tooMuch = minBigint(tooMuch, minBigint(next, out.most + 1n));
    else if (out >= wanted)
      return { below, enough: next, surplus: surplusOf(next, out, wanted), left: left - 1 };
    else below = next;
    if (tooMuch - below <= 1n) return null;
    const middle = (below + tooMuch) / 2n;
    if (typeof out !== 'bigint') next = maxBigint(tooMuch - 1n, below + 1n);
    else {
      const more =
        out === 0n ? next * 16n : maxBigint((next * wanted) / out + 1n, next + (next * stride) / 32n + 1n);
      stride *= 2n;
      next = more < tooMuch ? more : middle;
    }
  }
  return null;
}

function surplusOf(amountIn: bigint, out: bigint, wanted: bigint): bigint {
  return ((out - wanted) * amountIn) / out;
}

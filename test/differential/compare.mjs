import { createRandom } from './random.mjs';

/**
 * Compares our pools with a vendor's function on random states. `make(random)` returns
 * `{ pool, amount(direction), vendor(direction, amount) }`; the vendor answers a bigint, or null where it refuses, which
 * must be our 0. Every state is asked in both directions (or those named) and every difference counts.
 */
export async function compare({ name, against, seed, states, make, directions = [0, 1] }) {
  const random = createRandom(seed);
  const tally = { name, against, seed, states, compared: 0, filled: 0, mismatches: 0, first: null };
  const started = performance.now();
  for (let index = 0; index < states; index++) {
    const state = await make(random);
    for (const direction of directions) {
      const amount = state.amount(direction);
      const ours = state.pool.quote(state.pool.mints[direction], amount);
      const answer = (await state.vendor(direction, amount)) ?? 0n;
      // More than a token account can hold: programs overflow, most SDKs do not notice.
      const theirs = answer < 2n ** 64n ? answer : 0n;
      tally.compared++;
      if (ours > 0n) tally.filled++;
      if (ours !== theirs) {
        tally.mismatches++;
        tally.first ??= {
          state: index,
          direction,
          amount: `${amount}`,
          ours: `${ours}`,
          theirs: `${theirs}`,
          note: state.note,
        };
      }
    }
  }
  tally.seconds = Math.round((performance.now() - started) / 100) / 10;
  return tally;
}

/** The vendor's refusals are exceptions; anything that is not one of these is a fault of the comparison itself. */
export function orNull(ask, isRefusal = () => true) {
  try {
    return ask();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

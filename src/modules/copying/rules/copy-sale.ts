/** From this part on a leader has sold all: the rest is dust. In bps. */
const ALL_BPS = 9_500n;
const WHOLE = 10_000n;

/**
 * The units that follow a leader's sale: the same part of our rest, rounded down; the whole rest where the leader sold 95 % and more, and
 * where it is not known how much was held.
 */
export function unitsToSell(
  leader: { readonly sold: bigint; readonly heldBefore: bigint | null },
  rest: bigint,
): bigint {
  const { sold, heldBefore } = leader;
  if (rest <= 0n) return 0n;
  if (heldBefore === null || heldBefore <= 0n || sold >= heldBefore) return rest;
  if (sold * WHOLE >= heldBefore * ALL_BPS) return rest;
  return (sold * rest) / heldBefore;
}

/** The most that a sale may lose to a moving price. */
export const MOST_SALE_SLIPPAGE_BPS = 2_500;

/** The slippage of a sale by its try, the first being 0: the person's own, half more, then 25 %. */
export function saleSlippageBps(own: number, tries: number): number {
  if (tries >= 2) return MOST_SALE_SLIPPAGE_BPS;
  return Math.min(MOST_SALE_SLIPPAGE_BPS, tries === 0 ? own : Math.ceil(own * 1.5));
}

/** How long an owed sale rests after a try without effect: it doubles from two seconds to a minute. */
export function restAfter(tries: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(tries, 10));
}

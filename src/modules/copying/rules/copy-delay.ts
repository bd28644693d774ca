/** Of a desk whose copies are too few to say. */
const UNKNOWN_SLOTS = 3;
/** Fewer say nothing. */
const FEW = 20;
const LEAST_SLOTS = 1;

/**
 * The slots that a copy trades behind its leader: half of the desk's own copies took no more. At least one; three where fewer than 20 were
 * measured. A landing before its leader's trade is no measure: a fork moved one of them.
 */
export function copyDelaySlots(slotsBehind: readonly number[]): number {
  const sorted = slotsBehind.filter((slots) => slots >= 0).toSorted((one, other) => one - other);
  if (sorted.length < FEW) return UNKNOWN_SLOTS;
  return Math.max(LEAST_SLOTS, sorted[Math.ceil(sorted.length / 2) - 1] ?? UNKNOWN_SLOTS);
}

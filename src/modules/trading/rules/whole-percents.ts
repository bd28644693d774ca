/** Shares as whole percents that sum to 100: rounded down, then the largest remainders up. */
export function wholePercents(parts: readonly bigint[]): readonly number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  const floors = parts.map((part) => (part * 100n) / whole);
  const remainders = parts.map((part, index) => part * 100n - (floors[index] ?? 0n) * whole);
  const missing = 100 - Number(floors.reduce((sum, part) => sum + part, 0n));
  const raised = new Set(
    remainders
      .map((remainder, index) => ({ remainder, index }))
      .toSorted((a, b) =>
        a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
      )
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return floors.map((part, index) => Number(part) + (raised.has(index) ? 1 : 0));
}

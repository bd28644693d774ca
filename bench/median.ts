export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The smallest value that at least `p` per cent of the values do not exceed; NaN of nothing. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

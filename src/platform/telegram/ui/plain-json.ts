/**
 * Bigints through JSON: each becomes `{"$bigint":"123"}`. An object of ours never has that key, and text (a token's
 * hostile name, say) can never decode into a number.
 */
export function toPlainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => [key, toPlainJson(item)]),
    );
  }
  return value;
}

/** The inverse of `toPlainJson`. */
export function fromPlainJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlainJson);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === '$bigint' && typeof first[1] === 'string')
    return BigInt(first[1]);
  return Object.fromEntries(entries.map(([key, item]) => [key, fromPlainJson(item)]));
}

/** Objects that are read by a key of their own type. */

/** Whether a text is one of a table's own keys. */
export function isKeyOf<K extends string>(
  table: Readonly<Partial<Record<K, unknown>>>,
  text: string,
): text is K {
  return Object.hasOwn(table, text);
}

/** The keys of a table that has no others than its type says. */
export function keysOf<K extends string>(table: Readonly<Partial<Record<K, unknown>>>): readonly K[] {
  return Object.keys(table).filter((key): key is K => isKeyOf(table, key));
}

/** A table of the same keys, each value made of the old one. */
export function mapValues<K extends string, A, B>(
  table: Readonly<Record<K, A>>,
  make: (value: A, key: K) => B,
): Readonly<Record<K, B>> {
  return Object.fromEntries(keysOf(table).map((key) => [key, make(table[key], key)])) as Record<K, B>;
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

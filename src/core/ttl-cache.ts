/** Values that stay good for a while; a load under way is shared, a failed one is forgotten. */
export type TtlCache<K, V> = {
  get(key: K, load: () => Promise<V>): Promise<V>;
};

/**
 * Holds at most `capacity` keys, the oldest leaving first, so that a stream of made-up keys cannot fill the memory.
 * `keep` decides which values are worth keeping at all.
 */
export function createTtlCache<K, V>(options: {
  readonly ttlMs: number;
  readonly capacity: number;
  readonly now: () => number;
  readonly keep?: (value: V) => boolean;
}): TtlCache<K, V> {
  const entries = new Map<K, { readonly value: Promise<V>; readonly until: number }>();
  return {
    get(key, load) {
      const known = entries.get(key);
      if (known !== undefined && known.until > options.now()) return known.value;
      entries.delete(key);
      const entry = { value: load(), until: options.now() + options.ttlMs };
      entries.set(key, entry);
      const forget = () => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      entry.value.then((value) => {
        if (options.keep !== undefined && !options.keep(value)) forget();
      }, forget);
      if (entries.size > options.capacity) {
        for (const oldest of entries.keys()) {
          entries.delete(oldest);
          break;
        }
      }
      return entry.value;
    },
  };
}

/** The choice after this one, round and round; the first one after what is none of them. */
export function nextOf<T>(all: readonly T[], now: T): T {
  return all[(all.indexOf(now) + 1) % all.length] ?? now;
}

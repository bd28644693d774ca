/**
 * The holders of a place: a key's account, or a client without a key by its network (a /64, or an IPv4 address) and the wider one (a /48).
 */
export type StreamClient =
  | { readonly kind: 'key'; readonly account: string }
  | { readonly kind: 'anonymous'; readonly net: string; readonly wide: string | null };

export type StreamPlaces = {
  /**
   * A place for one more reader, and the way to give it back; null: there are as many as there may be. `evict` is called when the
   * place is needed for a key: it is given back already.
   */
  readonly take: (client: StreamClient, evict: () => void) => (() => void) | null;
};

export const STREAM_LIMITS = { all: 1_000, perAccount: 5, perNet: 5, perWide: 20 } as const;

type Place = { readonly counted: readonly string[]; readonly evict: () => void };

/**
 * Places for readers of one process. Clients without a key have half of them: the other half is for keys alone. A key that finds
 * none left takes that of the anonymous reader that has been there longest, so that strangers never keep a key out.
 */
export function createStreamPlaces(
  limits: Readonly<Record<keyof typeof STREAM_LIMITS, number>> = STREAM_LIMITS,
): StreamPlaces {
  const counts = new Map<string, number>();
  const all = new Set<Place>();
  /** In the order in which they came. */
  const anonymous = new Set<Place>();

  const room = (name: string, most: number): boolean => (counts.get(name) ?? 0) < most;

  const give = (place: Place): void => {
    if (!all.delete(place)) return;
    anonymous.delete(place);
    for (const name of place.counted) {
      const left = (counts.get(name) ?? 1) - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  };

  const open = (place: Place, isAnonymous: boolean): (() => void) => {
    all.add(place);
    if (isAnonymous) anonymous.add(place);
    for (const name of place.counted) counts.set(name, (counts.get(name) ?? 0) + 1);
    return () => give(place);
  };

  return {
    take: (client, evict) => {
      if (client.kind === 'anonymous') {
        const net = `net ${client.net}`;
        const wide = client.wide === null ? null : `wide ${client.wide}`;
        const isFull = all.size >= limits.all || anonymous.size >= Math.floor(limits.all / 2);
        if (isFull || !room(net, limits.perNet) || (wide !== null && !room(wide, limits.perWide)))
          return null;
        return open({ counted: wide === null ? [net] : [net, wide], evict }, true);
      }
      const account = `key ${client.account}`;
      if (!room(account, limits.perAccount)) return null;
      if (all.size >= limits.all) {
        const [oldest] = anonymous;
        if (oldest === undefined) return null;
        give(oldest);
        oldest.evict();
      }
      return open({ counted: [account], evict }, false);
    },
  };
}

import { BLIND_MS, type Look } from '../../core/orders/hold-window.ts';

type Seen = Pick<Look, 'slot' | 'at'>;

/**
 * What a look shows beside those before it: a later slot; the `same` one, which says that a node or the chain stands still; an `older`
 * one, which says nothing of now. `anew`: nothing new was seen for ten seconds before, so nothing is known of the time between.
 */
type News = 'later' | 'same' | 'older' | 'anew';

/** The last state of the chain that a token was seen at. */
export type LastSeen = {
  see(look: Seen): News;
  /** Whether no new slot was seen for so long that windows begin anew. */
  isBlind(now: number): boolean;
};

export function createLastSeen(): LastSeen {
  let last: Seen | null = null;
  const isLate = (now: number): boolean => last !== null && now - last.at > BLIND_MS;
  return {
    see: ({ slot, at }) => {
      if (last !== null && slot === last.slot) return 'same';
      // After such a time another node may answer, one that is behind; and a slot that was a lie must not hide all that come.
      const isAnew = isLate(at);
      if (last !== null && slot < last.slot && !isAnew) return 'older';
      last = { slot, at };
      return isAnew ? 'anew' : 'later';
    },
    isBlind: isLate,
  };
}

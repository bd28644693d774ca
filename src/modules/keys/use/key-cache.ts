import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { ApiKey, ApiKeyStore } from '../store/api-key-store-port.ts';

/** A revocation counts everywhere within this time. */
const KEPT_MS = 1_000;
const CAPACITY = 10_000;

/** Looks a key up at most once a second: it would be asked for at every request. Unknown ids are not kept. */
export function createKeyCache(deps: {
  readonly keys: Pick<ApiKeyStore, 'find'>;
  readonly clock: Clock;
}): Pick<ApiKeyStore, 'find'> {
  const kept = new Map<string, { readonly key: ApiKey; readonly askedAt: Mark }>();
  return {
    find: async (id) => {
      // Before the question: a key that is revoked while the answer is on its way must not count as known for longer.
      const askedAt = markOf(deps.clock);
      const known = kept.get(id);
      if (known !== undefined && elapsedSince(known.askedAt, deps.clock) < KEPT_MS) return known.key;
      kept.delete(id);
      const key = await deps.keys.find(id);
      if (key === null) return null;
      kept.set(id, { key, askedAt });
      if (kept.size > CAPACITY) {
        const [oldest] = kept.keys();
        if (oldest !== undefined) kept.delete(oldest);
      }
      return key;
    },
  };
}

import { isAppError } from '../../../core/errors/app-error.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import { encodeKeyNotice, noticeOfUses } from '../rules/key-notice.ts';
import type { KeyUse } from '../rules/key-use.ts';

export type UseWatchDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Pick<Logger, 'warn'>;
  readonly nudge: () => void;
  readonly isOn: boolean;
};

/** Uses within so long are one message. */
const ROUND_MS = 10_000;
const REST_MS = 60_000;
const AT_ONCE = 500;

export type UseWatch = {
  /** One round: people hear of the uses of their keys. Milliseconds until the next; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/** Notifies people of each use of their keys, once: many uses of one key in a round are one message with their number. */
export function createUseWatch(deps: UseWatchDeps): UseWatch {
  return {
    round: async () => {
      if (!deps.isOn) return REST_MS;
      try {
        if (await tellUses(deps)) deps.nudge();
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'uses of personal keys could not be told');
      }
      return ROUND_MS;
    },
    onAdd: () => undefined,
    stop: async () => undefined,
  };
}

/** True where anybody was notified. */
export async function tellUses(deps: Pick<UseWatchDeps, 'db' | 'clock' | 'ids'>): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    const untold = await stores.personalKeys.lockUntold(AT_ONCE);
    if (untold.length === 0) return false;
    await addNotices(
      deps,
      stores,
      [...byKey(untold)].map(([keyId, uses]) => ({
        userId: uses[0]?.userId ?? '',
        intentId: null,
        kind: 'personal-key' as const,
        payload: encodeKeyNotice(noticeOfUses(keyId, uses)),
      })),
    );
    await stores.personalKeys.saveTold(untold, deps.clock.now());
    return true;
  });
}

function byKey(uses: readonly KeyUse[]): ReadonlyMap<string, readonly KeyUse[]> {
  const found = new Map<string, KeyUse[]>();
  for (const use of uses) found.set(use.keyId, [...(found.get(use.keyId) ?? []), use]);
  return found;
}

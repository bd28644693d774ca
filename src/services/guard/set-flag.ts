import type { Clock } from '../../core/ports/clock.ts';
import type { Flag } from '../../core/ports/flag-store.ts';
import type { Stores } from '../../core/ports/stores.ts';

/** The operator's switch: what is switched off is refused from the commit on, in every process. */
export async function setFlag(
  deps: { readonly db: Pick<Stores, 'flags'>; readonly clock: Clock },
  flag: Flag,
  on: boolean,
): Promise<void> {
  await deps.db.flags.set(flag, on, deps.clock.now());
}

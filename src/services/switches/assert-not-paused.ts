import { AppError } from '../../core/errors/app-error.ts';
import type { FlagStore } from '../../core/ports/flag-store.ts';
import type { Switch } from '../../core/switches/switch.ts';

/** Throws PAUSED with the operator's reason when any of these is paused. Asks the database: a confirmation is never judged by a memory. */
export async function assertNotPaused(
  flags: Pick<FlagStore, 'pauses'>,
  switches: readonly Switch[],
): Promise<void> {
  const pause = (await flags.pauses()).find(({ what }) => switches.includes(what));
  if (pause !== undefined) throw new AppError('PAUSED', pause);
}

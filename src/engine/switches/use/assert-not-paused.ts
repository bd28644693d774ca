import { AppError } from '../../../core/errors/app-error.ts';
import type { Switch } from '../rules.ts';
import type { FlagStore } from '../store-port.ts';

/** Throws PAUSED with the operator's reason when any of these is paused. Asks the database: a confirmation is never judged by a memory. */
export async function assertNotPaused(
  flags: Pick<FlagStore, 'pauses'>,
  switches: readonly Switch[],
): Promise<void> {
  const pause = (await flags.pauses()).find(({ what }) => switches.includes(what));
  if (pause !== undefined) throw new AppError('PAUSED', pause);
}

import type { Stores } from '../../../platform/ports/stores.ts';
import { type LaunchAlert, type LaunchList, LISTS, NO_ALERT } from '../rules/launch-alert.ts';
import { filterText, readFilter } from '../rules/launch-filter.ts';

type Deps = { readonly db: { readonly seenLaunches: Pick<Stores['seenLaunches'], 'alert' | 'saveAlert'> } };

/** A person's filter and stages; those of a person who chose none yet let everything through and notify of nothing. */
export async function chosenLaunches({ db }: Deps, userId: string): Promise<LaunchAlert> {
  return (await db.seenLaunches.alert(userId)) ?? { ...NO_ALERT, userId };
}

/** Switches the messages about a stage on or off. */
export async function toggleStage(
  deps: Deps,
  { userId, stage }: { readonly userId: string; readonly stage: LaunchList },
): Promise<void> {
  const chosen = await chosenLaunches(deps, userId);
  const has = chosen.stages.includes(stage);
  const stages = LISTS.filter((list) => (list === stage ? !has : chosen.stages.includes(list)));
  await deps.db.seenLaunches.saveAlert({ ...chosen, stages });
}

/** The typed filter in place of the one before. Throws FILTER_INVALID, and stores nothing then. */
export async function chooseFilter(
  deps: Deps,
  { userId, text }: { readonly userId: string; readonly text: string },
): Promise<void> {
  const filter = filterText(readFilter(text));
  await deps.db.seenLaunches.saveAlert({ ...(await chosenLaunches(deps, userId)), filter });
}

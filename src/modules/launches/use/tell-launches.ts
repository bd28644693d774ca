import { ageAt } from '../../../core/time/age.ts';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import {
  ALERT_LIMITS,
  afterDigest,
  afterLaunch,
  type LaunchAlert,
  type LaunchList,
  type LaunchNotice,
  stageNews,
} from '../rules/launch-alert.ts';
import { type LaunchFilter, readFilter } from '../rules/launch-filter.ts';
import { encodeLaunchDigest, encodeLaunchStage } from '../rules/launch-notice.ts';
import type { SeenLaunch } from '../rules/stage.ts';

/** A creation that is read later than this is no news. */
const NEWS_MS = 600_000;

export type LaunchNewsDeps = {
  readonly db: Pick<Database, 'seenLaunches' | 'transact'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Wakes the sender of notices. */
  readonly nudge: () => void;
  /** Whether a launch passes a filter now. */
  readonly passes: (launch: SeenLaunch, filter: LaunchFilter) => Promise<boolean>;
};

type Told = Parameters<typeof addNotices>[2][number];

/**
 * Notifies people of the stages that they chose, each person once per launch and stage, in the commit that writes the stage. A stage that did
 * not last is a second notice, which edits the first one's message. It buys nothing.
 */
export function createLaunchNews(deps: LaunchNewsDeps): {
  readonly news: (before: SeenLaunch | null, after: SeenLaunch) => Promise<(stores: Stores) => Promise<void>>;
  /** Sends the numbers of hours that are over, and wakes the sender. */
  readonly onChange: () => Promise<void>;
} {
  let added = false;
  return {
    news: async (before, after) => {
      const { gained, lost } = stageNews(before, after);
      if (gained.length === 0 && lost.length === 0) return async () => undefined;
      const passing = gained.length === 0 ? new Set<string>() : await passingFilters(deps, after);
      return async (stores) => {
        const notices = [
          ...(await takeBack(stores, after, lost)),
          ...(await tell(deps, stores, after, { gained, passing })),
        ];
        await addNotices(deps, stores, notices);
        if (notices.length > 0) added = true;
      };
    },
    onChange: async () => {
      if (await tellDigests(deps)) added = true;
      if (added) deps.nudge();
      added = false;
    },
  };
}

/** The filters of people that a launch passes, as they are written. */
async function passingFilters(deps: LaunchNewsDeps, launch: SeenLaunch): Promise<ReadonlySet<string>> {
  const filters = await deps.db.seenLaunches.filters();
  const passed = await Promise.all(
    filters.map(async (text) => ((await deps.passes(launch, readFilter(text))) ? [text] : [])),
  );
  return new Set(passed.flat());
}

async function takeBack(
  { seenLaunches }: Pick<Stores, 'seenLaunches'>,
  { mint }: SeenLaunch,
  lost: readonly LaunchList[],
): Promise<readonly Told[]> {
  const gone: LaunchNotice[] = [];
  for (const list of lost) gone.push(...(await seenLaunches.markNotices(mint, list, true)));
  return gone.map(backNotice);
}

const backNotice = ({ userId, mint, stage }: LaunchNotice): Told => ({
  userId,
  intentId: null,
  kind: 'launch-back',
  payload: encodeLaunchStage({ mint, stage }),
});

async function tell(
  { clock }: Pick<LaunchNewsDeps, 'clock'>,
  { seenLaunches }: Pick<Stores, 'seenLaunches'>,
  launch: SeenLaunch,
  { gained, passing }: { readonly gained: readonly LaunchList[]; readonly passing: ReadonlySet<string> },
): Promise<readonly Told[]> {
  const now = clock.now();
  const told: Told[] = [];
  for (const stage of gained) {
    const again = await seenLaunches.markNotices(launch.mint, stage, false);
    told.push(...again.map(backNotice));
    if (stage === 'new' && ageAt(launch.createdAt, now) >= NEWS_MS) continue;
    for (const alert of await seenLaunches.alertsFor(stage)) {
      if (!passing.has(alert.filter)) continue;
      const { userId } = alert;
      const notice = { userId, mint: launch.mint, stage, at: now, messageId: null, takenBack: false };
      if (!(await seenLaunches.addNotice(notice))) continue;
      const { after, tells } = afterLaunch(alert, now);
      await seenLaunches.countAlert(after);
      const payload = encodeLaunchStage({ mint: launch.mint, stage });
      if (tells) told.push({ userId, intentId: null, kind: 'launch-stage', payload });
    }
  }
  return told;
}

/** True where a number was sent. */
async function tellDigests(deps: LaunchNewsDeps): Promise<boolean> {
  return deps.db.transact(async (stores) => {
    const due = await stores.seenLaunches.dueDigests(deps.clock.now() - ALERT_LIMITS.hourMs);
    for (const alert of due) await stores.seenLaunches.countAlert(afterDigest(alert));
    await addNotices(deps, stores, due.map(digestOf));
    return due.length > 0;
  });
}

const digestOf = ({ userId, hourHeld }: LaunchAlert): Told => ({
  userId,
  intentId: null,
  kind: 'launch-digest',
  payload: encodeLaunchDigest(hourHeld),
});

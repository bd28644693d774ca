import type {
  LaunchAlert,
  LaunchList,
  LaunchNotice,
} from '../../../src/modules/launches/rules/launch-alert.ts';
import type { SeenLaunch } from '../../../src/modules/launches/rules/stage.ts';
import type { SeenLaunchStore } from '../../../src/modules/launches/store-port.ts';
import { type MemoryAccess, requireRow } from './memory-state.ts';

const keyOf = ({ userId, mint, stage }: Pick<LaunchNotice, 'userId' | 'mint' | 'stage'>): string =>
  `${userId} ${mint} ${stage}`;
const byMint = (a: SeenLaunch, b: SeenLaunch): number => (a.mint < b.mint ? -1 : 1);
const byUser = (a: LaunchAlert, b: LaunchAlert): number => (a.userId < b.userId ? -1 : 1);

const ON_LIST: Readonly<Record<LaunchList, (launch: SeenLaunch, since: number) => boolean>> = {
  new: ({ stage, createdAt }, since) => stage !== 'graduated' && createdAt >= since,
  near: ({ stage, movedAt }, since) => (stage === 'near' || stage === 'complete') && movedAt >= since,
  graduated: ({ stage, movedAt }, since) => stage === 'graduated' && movedAt >= since,
};
const ORDER: Readonly<Record<LaunchList, (a: SeenLaunch, b: SeenLaunch) => number>> = {
  new: (a, b) => b.createdAt - a.createdAt || byMint(a, b),
  near: (a, b) => b.soldBps - a.soldBps || b.createdAt - a.createdAt || byMint(a, b),
  graduated: (a, b) => Number((b.slots.graduated ?? 0n) - (a.slots.graduated ?? 0n)) || byMint(a, b),
};

export function memorySeenLaunchStore({ read, write }: MemoryAccess): SeenLaunchStore {
  return {
    insert: (launch) =>
      write((view) => {
        if (view.seenLaunches.get(launch.mint) !== undefined) return false;
        view.seenLaunches.set(launch.mint, launch);
        return true;
      }),
    find: (mint) => read((view) => view.seenLaunches.get(mint) ?? null),
    ofCurves: (curves) =>
      read((view) =>
        view.seenLaunches
          .rows()
          .filter(({ curve }) => curves.includes(curve))
          .sort(byMint),
      ),
    change: (before, after) =>
      write((view) => {
        const row = view.seenLaunches.get(after.mint);
        if (row?.stage !== before.stage || row.takenBack !== before.takenBack) return false;
        view.seenLaunches.set(after.mint, after);
        return true;
      }),
    watched: (since, finalSlot, limit) =>
      read((view) =>
        view.seenLaunches
          .rows()
          .filter(
            ({ stage, slots, movedAt, createdSlot }) =>
              movedAt >= since &&
              (stage !== 'graduated' ||
                (slots.graduated !== null && slots.graduated > finalSlot) ||
                createdSlot > finalSlot),
          )
          .sort((a, b) => b.movedAt - a.movedAt || byMint(a, b))
          .slice(0, limit),
      ),
    list: (list, since, limit) =>
      read((view) =>
        view.seenLaunches
          .rows()
          .filter((launch) => !launch.takenBack && ON_LIST[list](launch, since))
          .sort(ORDER[list])
          .slice(0, limit),
      ),
    place: (pad) => read((view) => view.launchPlaces.get(pad) ?? null),
    moveTo: (pad, slot) =>
      write((view) => {
        if ((view.launchPlaces.get(pad) ?? -1n) < slot) view.launchPlaces.set(pad, slot);
      }),
    alert: (userId) => read((view) => view.launchAlerts.get(userId) ?? null),
    saveAlert: (alert) =>
      write((view) => {
        requireRow(view.users, 'users', alert.userId);
        const { stages, filter } = alert;
        const row = view.launchAlerts.get(alert.userId);
        view.launchAlerts.set(alert.userId, row === undefined ? alert : { ...row, stages, filter });
      }),
    countAlert: ({ userId, ...hour }) =>
      write((view) => {
        const row = view.launchAlerts.get(userId);
        if (row !== undefined) view.launchAlerts.set(userId, { ...row, ...hour });
      }),
    alertsFor: (list) =>
      read((view) =>
        view.launchAlerts
          .rows()
          .filter(({ stages }) => stages.includes(list))
          .sort(byUser),
      ),
    filters: () =>
      read((view) => [
        ...new Set(
          view.launchAlerts
            .rows()
            .filter(({ stages }) => stages.length > 0)
            .map(({ filter }) => filter)
            .sort(),
        ),
      ]),
    dueDigests: (hourAtMost) =>
      read((view) =>
        view.launchAlerts
          .rows()
          .filter(({ hourAt, hourHeld }) => hourHeld > 0 && hourAt !== null && hourAt <= hourAtMost)
          .sort(byUser),
      ),
    addNotice: (notice) =>
      write((view) => {
        requireRow(view.users, 'users', notice.userId);
        if (view.launchNotices.get(keyOf(notice)) !== undefined) return false;
        view.launchNotices.set(keyOf(notice), notice);
        return true;
      }),
    notice: (key) => read((view) => view.launchNotices.get(keyOf(key)) ?? null),
    sent: (key, messageId) =>
      write((view) => {
        const row = view.launchNotices.get(keyOf(key));
        if (row !== undefined) view.launchNotices.set(keyOf(key), { ...row, messageId });
      }),
    markNotices: (mint, stage, takenBack) =>
      write((view) => {
        const changed = view.launchNotices
          .rows()
          .filter((row) => row.mint === mint && row.stage === stage && row.takenBack !== takenBack)
          .map((row) => ({ ...row, takenBack }));
        for (const row of changed) view.launchNotices.set(keyOf(row), row);
        return changed;
      }),
  };
}

import type { Alert } from '../../../src/modules/alerts/rules/alert.ts';
import type { AlertStore } from '../../../src/modules/alerts/store-port.ts';
import { byId, type MemoryAccess, requireRow } from './memory-state.ts';

export function memoryAlertStore({ read, write }: MemoryAccess): AlertStore {
  const open = (which: (alert: Alert) => boolean) =>
    read((view) =>
      view.alerts
        .rows()
        .filter((alert) => alert.status === 'OPEN' && which(alert))
        .sort(byId),
    );
  return {
    insert: (alert) =>
      write((view) => {
        const known = view.alerts.rows().find(({ placeKey }) => placeKey === alert.placeKey);
        if (known !== undefined) return known;
        requireRow(view.users, 'users', alert.userId);
        view.alerts.set(alert.id, alert);
        return alert;
      }),
    find: (id) => read((view) => view.alerts.get(id) ?? null),
    listOpen: (userId) => open((alert) => alert.userId === userId),
    countOpen: async (userId) => (await open((alert) => alert.userId === userId)).length,
    allOpen: (now) => open((alert) => alert.expiresAt > now),
    replace: (alert) =>
      write((view) => {
        const row = view.alerts.get(alert.id);
        if (row?.version !== alert.version - 1) return false;
        const { status, armed, told, restsUntil, version, expiresAt } = alert;
        view.alerts.set(alert.id, { ...row, status, armed, told, restsUntil, version, expiresAt });
        return true;
      }),
    expire: (now) =>
      write((view) => {
        const ended = view.alerts
          .rows()
          .filter(({ status, expiresAt }) => status === 'OPEN' && expiresAt <= now)
          .map((row): Alert => ({ ...row, status: 'EXPIRED', version: row.version + 1 }));
        for (const row of ended) view.alerts.set(row.id, row);
        return ended;
      }),
  };
}

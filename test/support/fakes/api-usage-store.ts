import type { ApiUsage, ApiUsageStore } from '../../../src/modules/keys/store/api-usage-store-port.ts';

/** Usage in memory. */
export function fakeApiUsageStore(): ApiUsageStore {
  const rows = new Map<string, ApiUsage>();
  const sortKey = ({ keyId, route, status }: ApiUsage) => `${keyId}\0${route}\0${status}`;
  return {
    add: async (usage, keepFrom) => {
      if (usage.length === 0) return;
      for (const [id, { day }] of rows) if (day < keepFrom) rows.delete(id);
      for (const row of usage.filter(({ day }) => day >= keepFrom)) {
        const id = [row.account, row.keyId, row.route, row.day, row.status].join('\0');
        rows.set(id, { ...row, requests: (rows.get(id)?.requests ?? 0) + row.requests });
      }
    },
    list: async (account, fromDay) =>
      [...rows.values()]
        .filter((row) => row.account === account && row.day >= fromDay)
        .toSorted((a, b) => (a.day === b.day ? (sortKey(a) < sortKey(b) ? -1 : 1) : a.day < b.day ? 1 : -1)),
  };
}

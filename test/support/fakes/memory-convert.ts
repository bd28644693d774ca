import type { ConvertPeriod } from '../../../src/modules/convert/rules.ts';
import type { ConvertStore } from '../../../src/modules/convert/store-port.ts';
import { insertRow, type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

const sum = (values: readonly bigint[]): bigint => values.reduce((total, one) => total + one, 0n);

export function memoryConvertStore({ read, write }: MemoryAccess): ConvertStore {
  const move = (
    number: number,
    from: ConvertPeriod['status'],
    change: (view: MemoryView, period: ConvertPeriod) => Partial<ConvertPeriod> | null,
  ): Promise<boolean> =>
    write((view) => {
      const period = view.convertPeriods.get(`${number}`);
      const patch = period === undefined || period.status !== from ? null : change(view, period);
      if (period === undefined || patch === null) return false;
      view.convertPeriods.set(`${number}`, { ...period, ...patch });
      return true;
    });
  const entriesOf = (view: MemoryView, number: number) =>
    view.convertEntries.rows().filter(({ period }) => period === number);
  const waitingOf = (view: MemoryView, number: number) =>
    entriesOf(view, number).filter(
      ({ userId }) => view.convertOutcomes.get(`${number}/${userId}`) === undefined,
    );

  return {
    announce: (input) =>
      write((view) => {
        if (input.closesAt <= input.opensAt || input.budgetLamports <= 0n)
          throw new Error('convert_periods: a period ends after it begins and has a budget');
        const periods = view.convertPeriods.rows();
        const overlaps = periods.some(
          (one) => one.status !== 'CANCELLED' && one.opensAt < input.closesAt && input.opensAt < one.closesAt,
        );
        if (overlaps) return null;
        const period: ConvertPeriod = {
          ...input,
          number: Math.max(0, ...periods.map(({ number }) => number)) + 1,
          status: 'ANNOUNCED',
          totalPoints: null,
          paidLamports: null,
        };
        view.convertPeriods.set(`${period.number}`, period);
        return period;
      }),
    find: (number) => read((view) => view.convertPeriods.get(`${number}`) ?? null),
    list: (limit) =>
      read((view) =>
        view.convertPeriods
          .rows()
          .sort((a, b) => b.number - a.number)
          .slice(0, limit),
      ),
    payable: () =>
      read((view) =>
        view.convertPeriods
          .rows()
          .filter(({ status }) => status === 'SETTLING' || status === 'SETTLED')
          .map(({ number }) => number)
          .sort((a, b) => a - b),
      ),
    hold: (number) => read((view) => view.convertPeriods.get(`${number}`) ?? null),
    begin: (number) =>
      move(number, 'ANNOUNCED', (view) => ({
        status: 'SETTLING',
        totalPoints: sum(entriesOf(view, number).map(({ points }) => points)),
      })),
    cancel: (number, seal) => move(number, 'ANNOUNCED', () => ({ status: 'CANCELLED', seal })),
    finish: (number) =>
      move(number, 'SETTLING', (view, period) => {
        if (waitingOf(view, number).length > 0) return null;
        const paidLamports = sum(
          view.convertOutcomes
            .rows()
            .filter((outcome) => outcome.period === number)
            .map(({ lamports }) => lamports),
        );
        if (paidLamports > period.budgetLamports) throw new Error('convert_periods: more than the budget');
        return { status: 'SETTLED', paidLamports };
      }),
    entryByKey: (idemKey) =>
      read((view) => view.convertEntries.rows().find((row) => row.idemKey === idemKey) ?? null),
    insertEntry: (entry) =>
      write((view) => {
        requireRow(view.users, 'users', entry.userId);
        requireRow(view.convertPeriods, 'convert_periods', `${entry.period}`);
        if (view.convertEntries.rows().some(({ idemKey }) => idemKey === entry.idemKey))
          throw new Error(`convert_entries: duplicate key ${entry.idemKey}`);
        if (entry.points <= 0n) throw new Error('convert_entries: points must be above 0');
        insertRow(view.convertEntries, 'convert_entries', entry.id, { ...entry });
      }),
    entered: (number, userId) =>
      read((view) => {
        const entries = entriesOf(view, number);
        return {
          total: sum(entries.map(({ points }) => points)),
          own: sum(entries.filter((entry) => entry.userId === userId).map(({ points }) => points)),
        };
      }),
    waiting: (number, limit) =>
      read((view) => {
        const byUser = new Map<string, bigint>();
        for (const { userId, points } of waitingOf(view, number))
          byUser.set(userId, (byUser.get(userId) ?? 0n) + points);
        return [...byUser]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([userId, points]) => ({ userId, points }));
      }),
    cancelledWaiting: () =>
      read((view) =>
        view.convertPeriods
          .rows()
          .filter(({ status, number }) => status === 'CANCELLED' && waitingOf(view, number).length > 0)
          .map(({ number }) => number)
          .sort((a, b) => a - b),
      ),
    insertOutcome: (outcome) =>
      write((view) => {
        requireRow(view.users, 'users', outcome.userId);
        const key = `${outcome.period}/${outcome.userId}`;
        if (view.convertOutcomes.get(key) !== undefined) return false;
        view.convertOutcomes.set(key, { ...outcome });
        return true;
      }),
    lastOutcome: (userId) =>
      read(
        (view) =>
          view.convertOutcomes
            .rows()
            .filter((outcome) => outcome.userId === userId)
            .sort((a, b) => b.period - a.period)[0] ?? null,
      ),
    watch: (userId, at) =>
      write((view) => {
        requireRow(view.users, 'users', userId);
        if (view.convertWatchers.get(userId) === undefined) view.convertWatchers.set(userId, at);
      }),
    isWatching: (userId) => read((view) => view.convertWatchers.get(userId) !== undefined),
    takeWatchers: (limit) =>
      write((view) => {
        const people = view.users
          .rows()
          .map(({ id }) => id)
          .filter((id) => view.convertWatchers.get(id) !== undefined)
          .sort()
          .slice(0, limit);
        for (const id of people) view.convertWatchers.delete(id);
        return people;
      }),
  };
}

import type { Launch } from '../../../src/modules/launch/rules/launch.ts';
import type { LaunchStore } from '../../../src/modules/launch/store-port.ts';
import { insertRow, type MemoryAccess, requireRow } from './memory-state.ts';

const byMint = (a: Launch, b: Launch): number => (a.mint < b.mint ? -1 : 1);

export function memoryLaunchStore({ read, write }: MemoryAccess): LaunchStore {
  return {
    insert: (launch) =>
      write((view) => {
        const taken = view.launches
          .rows()
          .some((other) => other.mint === launch.mint || other.intentId === launch.intentId);
        if (taken) return false;
        requireRow(view.createdTokens, 'created_tokens', launch.mint);
        requireRow(view.users, 'users', launch.userId);
        requireRow(view.intents, 'intents', launch.intentId);
        insertRow(view.launches, 'launches', launch.mint, { ...launch });
        return true;
      }),
    find: (mint) => read((view) => view.launches.get(mint) ?? null),
    onCurve: (limit) =>
      read((view) =>
        view.launches
          .rows()
          .filter(({ graduatedAt }) => graduatedAt === null)
          .sort((a, b) => a.checkedAt - b.checkedAt || byMint(a, b))
          .slice(0, limit),
      ),
    listByUser: (userId, limit) =>
      read((view) =>
        view.launches
          .rows()
          .filter((launch) => launch.userId === userId)
          .sort((a, b) => b.createdAt - a.createdAt || byMint(a, b))
          .slice(0, limit),
      ),
    saveProgress: (mint, { soldBps, at }) =>
      write((view) => {
        const launch = view.launches.get(mint);
        if (launch !== undefined) view.launches.set(mint, { ...launch, soldBps, checkedAt: at });
      }),
    graduate: (mint, at) =>
      write((view) => {
        const launch = view.launches.get(mint);
        if (launch === undefined || launch.graduatedAt !== null) return false;
        view.launches.set(mint, { ...launch, soldBps: 10_000, graduatedAt: at, checkedAt: at });
        return true;
      }),
  };
}

import type { Signal } from '../../../src/modules/follows/rules/signal.ts';
import type { SignalHit, SignalStore } from '../../../src/modules/follows/store/signal-store-port.ts';
import { type MemoryAccess, requireRow } from './memory-state.ts';

const keyOf = ({ userId, mint }: Pick<SignalHit, 'userId' | 'mint'>): string => `${userId} ${mint}`;
const byUser = (one: { readonly userId: string }, other: { readonly userId: string }): number =>
  one.userId < other.userId ? -1 : one.userId > other.userId ? 1 : 0;

/** Signals of followed wallets in memory. */
export function memorySignalStore({ read, write }: MemoryAccess): SignalStore {
  const those = (which: (signal: Signal) => boolean) =>
    read((view) => view.signals.rows().filter(which).sort(byUser));
  return {
    find: (userId) => read((view) => view.signals.get(userId) ?? null),
    save: (signal) =>
      write((view) => {
        const { userId, wallets, spanMs } = signal;
        requireRow(view.users, 'users', userId);
        const known = view.signals.get(userId);
        view.signals.set(userId, known === undefined ? signal : { ...known, wallets, spanMs });
      }),
    remove: (userId) =>
      write((view) => {
        view.signals.delete(userId);
      }),
    ofFollowers: (leaders) =>
      read((view) => {
        const followers = new Set(
          view.follows.rows().flatMap(({ userId, leader }) => (leaders.includes(leader) ? [userId] : [])),
        );
        return view.signals
          .rows()
          .filter(({ userId }) => followers.has(userId))
          .sort(byUser);
      }),
    count: ({ userId, hourAt, hourTold, hourHeld }) =>
      write((view) => {
        const row = view.signals.get(userId);
        if (row !== undefined) view.signals.set(userId, { ...row, hourAt, hourTold, hourHeld });
      }),
    dueDigests: (hourAtMost) =>
      those(({ hourAt, hourHeld }) => hourHeld > 0 && hourAt !== null && hourAt <= hourAtMost),
    hits: (userIds, mints) =>
      read((view) =>
        view.signalHits
          .rows()
          .filter(({ userId, mint }) => userIds.includes(userId) && mints.includes(mint))
          .sort((one, other) => byUser(one, other) || (one.mint < other.mint ? -1 : 1)),
      ),
    addHit: (hit) =>
      write((view) => {
        requireRow(view.users, 'users', hit.userId);
        const told = view.signalHits.get(keyOf(hit));
        if (told !== undefined && told.until >= hit.beganAt) return false;
        view.signalHits.set(keyOf(hit), hit);
        return true;
      }),
  };
}

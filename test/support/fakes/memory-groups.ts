import type { GroupCall } from '../../../src/modules/groups/rules/group-call.ts';
import type { GroupStore } from '../../../src/modules/groups/store-port.ts';
import { type MemoryAccess, requireRow } from './memory-state.ts';

type Key = Pick<GroupCall, 'groupId' | 'mint'>;
const keyOf = ({ groupId, mint }: Key): string => `${groupId} ${mint}`;
const byKey = (one: Key, other: Key): number =>
  Number(one.groupId - other.groupId) || (one.mint < other.mint ? -1 : 1);

export function memoryGroupStore({ read, write }: MemoryAccess): GroupStore {
  const edit = (key: Key, change: (call: GroupCall) => Partial<GroupCall>) =>
    write((view) => {
      const row = view.groupCalls.get(keyOf(key));
      if (row !== undefined) view.groupCalls.set(keyOf(key), { ...row, ...change(row) });
    });
  return {
    find: (id) => read((view) => view.groups.get(String(id)) ?? null),
    save: (group) =>
      write((view) => {
        requireRow(view.users, 'users', group.ownerId);
        view.groups.set(String(group.id), group);
      }),
    move: (from, to) =>
      write((view) => {
        const group = view.groups.get(String(from));
        if (group !== undefined && view.groups.get(String(to)) === undefined) {
          view.groups.delete(String(from));
          view.groups.set(String(to), { ...group, id: to });
        }
        for (const call of view.groupCalls.rows().filter(({ groupId }) => groupId === from)) {
          const moved = { ...call, groupId: to };
          if (view.groupCalls.get(keyOf(moved)) !== undefined) continue;
          view.groupCalls.delete(keyOf(call));
          view.groupCalls.set(keyOf(moved), moved);
        }
      }),
    call: (key) => read((view) => view.groupCalls.get(keyOf(key)) ?? null),
    insertCall: (call) =>
      write((view) => {
        if (view.groupCalls.get(keyOf(call)) !== undefined) return false;
        view.groupCalls.set(keyOf(call), call);
        return true;
      }),
    enter: ({ units, dueAt, ...key }) => edit(key, (row) => (row.units === null ? { units, dueAt } : {})),
    value: ({ lamports, bestLamports, high, dueAt, ...key }) =>
      edit(key, () => ({ lamports, bestLamports, high, dueAt })),
    due: (atMost, limit) =>
      read((view) =>
        view.groupCalls
          .rows()
          .filter(({ dueAt }) => dueAt <= atMost)
          .sort((one, other) => one.dueAt - other.dueAt || byKey(one, other))
          .slice(0, limit),
      ),
    calls: (groupId, since) =>
      read((view) =>
        view.groupCalls
          .rows()
          .filter((row) => row.groupId === groupId && row.calledAt >= since)
          .sort((one, other) => one.calledAt - other.calledAt || byKey(one, other)),
      ),
    forget: (groupId, callerId) =>
      write((view) => {
        const own = view.groupCalls
          .rows()
          .filter((row) => row.groupId === groupId && row.callerId === callerId);
        for (const row of own) view.groupCalls.set(keyOf(row), { ...row, callerId: null, callerName: null });
        return own.length;
      }),
  };
}

import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../../src/modules/groups/rules/group.ts';
import { type GroupCall, newCall } from '../../src/modules/groups/rules/group-call.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newAddress, storedPerson } from './store-rows.ts';

let groups = 0n;
/** As large as the ids of supergroups are. */
export const newGroupId = (): bigint => {
  groups += 1n;
  return -1_009_999_000_000n - groups;
};

export function groupCallRow(more: Partial<GroupCall> = {}): GroupCall {
  return {
    ...newCall({
      groupId: newGroupId(),
      mint: newAddress(),
      callerId: 7_000_000_001n,
      callerName: 'Ana',
      calledAt: NOW,
      calledSlot: 4_000_000_000n,
      picoUsd: 2n ** 100n,
    }),
    ...more,
  };
}

/** The rules of groups and their calls as they are stored. */
export function describeGroupStore(database: () => Database): void {
  let db: Database;
  let ownerId: string;
  beforeAll(async () => {
    db = database();
    ownerId = (await storedPerson(db)).user.id;
  });

  describe('groups', () => {
    it('have the choices of their newest creator, whole', async () => {
      const group: Group = {
        id: newGroupId(),
        ownerId,
        ownerName: 'Ana',
        carriesCode: true,
        language: 'es',
        changedAt: NOW,
      };
      expect(await db.groups.find(group.id)).toBeNull();
      await db.groups.save(group);
      expect(await db.groups.find(group.id)).toEqual(group);
      const other = {
        ...group,
        ownerId: (await storedPerson(db)).user.id,
        carriesCode: false,
        changedAt: NOW + 1,
      };
      await db.groups.save(other);
      expect(await db.groups.find(group.id)).toEqual(other);
    });

    it('keep the first call of a mint, and enter its purchase once', async () => {
      const call = groupCallRow();
      expect(await db.groups.call(call)).toBeNull();
      expect(await db.groups.insertCall(call)).toBe(true);
      expect(await db.groups.insertCall({ ...call, callerId: 8n, callerName: 'Bob' })).toBe(false);
      expect(await db.groups.call(call)).toEqual(call);
      await db.groups.enter({ ...call, units: 2n ** 64n - 1n, dueAt: NOW + 5 });
      await db.groups.enter({ ...call, units: 1n, dueAt: NOW + 6 });
      const entered = { ...call, units: 2n ** 64n - 1n, dueAt: NOW + 5 };
      expect(await db.groups.call(call)).toEqual(entered);
      const valued = {
        ...entered,
        lamports: 0n,
        bestLamports: 3n,
        high: { lamports: 9n, slot: 4_000_000_009n },
        dueAt: NOW + 7,
      };
      await db.groups.value(valued);
      expect(await db.groups.call(call)).toEqual(valued);
      await db.groups.value({ ...valued, high: null });
      expect((await db.groups.call(call))?.high).toBeNull();
    });

    it('list due calls by their time, and those of a group since a moment', async () => {
      const groupId = newGroupId();
      const long = NOW - 1e9;
      const [late, early, later] = [
        groupCallRow({ groupId, dueAt: long + 2, calledAt: NOW - 5 }),
        groupCallRow({ groupId, dueAt: long + 1, calledAt: NOW - 9 }),
        groupCallRow({ groupId, dueAt: NOW + 1e9, calledAt: NOW - 4 }),
      ];
      for (const call of [late, early, later]) await db.groups.insertCall(call);
      expect(await db.groups.due(long + 2, 9)).toEqual([early, late]);
      expect(await db.groups.due(long + 2, 1)).toEqual([early]);
      expect(await db.groups.calls(groupId, NOW - 5)).toEqual([late, later]);
    });

    it('forget a caller in one group, and no other', async () => {
      const [here, there] = [groupCallRow(), groupCallRow()];
      const another = groupCallRow({ groupId: here.groupId, callerId: 5n, callerName: 'Bob' });
      for (const call of [here, there, another]) await db.groups.insertCall(call);
      expect(await db.groups.forget(here.groupId, 7_000_000_001n)).toBe(1);
      expect(await db.groups.forget(here.groupId, 7_000_000_001n)).toBe(0);
      expect(await db.groups.call(here)).toEqual({ ...here, callerId: null, callerName: null });
      expect(await db.groups.call(there)).toEqual(there);
      expect(await db.groups.call(another)).toEqual(another);
    });

    it('move to a new id with what that lacks', async () => {
      const [from, to] = [newGroupId(), newGroupId()];
      const group: Group = {
        id: from,
        ownerId,
        ownerName: 'Ana',
        carriesCode: false,
        language: 'en',
        changedAt: NOW,
      };
      await db.groups.save(group);
      const [moved, stays] = [groupCallRow({ groupId: from }), groupCallRow({ groupId: from })];
      const newer = { ...stays, groupId: to, callerName: 'Bob' };
      for (const call of [moved, stays, newer]) await db.groups.insertCall(call);
      await db.groups.move(from, to);
      expect(await db.groups.find(from)).toBeNull();
      expect(await db.groups.find(to)).toEqual({ ...group, id: to });
      expect(await db.groups.call({ ...moved, groupId: to })).toEqual({ ...moved, groupId: to });
      expect(await db.groups.call(newer)).toEqual(newer);
    });
  });
}

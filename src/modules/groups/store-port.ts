import type { Group } from './rules/group.ts';
import type { GroupCall } from './rules/group-call.ts';

type Key = Pick<GroupCall, 'groupId' | 'mint'>;

/** What creators chose for their groups, and the first scans in groups. */
export interface GroupStore {
  find(id: bigint): Promise<Group | null>;
  /** Writes the choices, also over those of an earlier creator. */
  save(group: Group): Promise<void>;
  call(key: Key): Promise<GroupCall | null>;
  /** False, and nothing is stored, where the mint was called in the group before. */
  insertCall(call: GroupCall): Promise<boolean>;
  /** The units of the purchase; where they are known already they stay. */
  enter(key: Key & { readonly units: bigint; readonly dueAt: number }): Promise<void>;
  /** Result, best and the next reading. */
  value(call: Key & Pick<GroupCall, 'lamports' | 'bestLamports' | 'high' | 'dueAt'>): Promise<void>;
  /** Calls whose next reading is due at or before a moment, the longest due first. */
  due(atMost: number, limit: number): Promise<readonly GroupCall[]>;
  /** A group's calls since a moment, oldest first. */
  calls(groupId: bigint, since: number): Promise<readonly GroupCall[]>;
  /** Takes id and name of a caller off the calls of a group; their number. */
  forget(groupId: bigint, callerId: bigint): Promise<number>;
  /** A group that Telegram gave another id: choices and calls that the new id lacks go with it. */
  move(from: bigint, to: bigint): Promise<void>;
}

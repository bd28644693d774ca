import type { ChatMessage } from './core/chat.ts';
import type { ChatSnapshot, ServerSnapshot } from './core/snapshot.ts';
import type { Pending } from './core/update-queue.ts';

/** The change from one state of a file to the next: one line of its journal. */
export type Patch = {
  /** Fields with their new values. Null means that the field is gone. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Items that are new or replace one with their key. */
  readonly put: readonly unknown[];
  /** Keys of items that are gone. */
  readonly drop: readonly number[];
};

/** A snapshot as fields and a list of items with keys, which is how little of it changes at a time. */
export type Shape<T> = {
  readonly list: keyof T & string;
  readonly key: (item: never) => number;
};

export const CHAT: Shape<ChatSnapshot> = {
  list: 'messages',
  key: (item: ChatMessage) => item.message.message_id,
};
export const SERVER: Shape<ServerSnapshot> = { list: 'pending', key: (item: Pending) => item.seq };

/** A state as last written: fields as text, items as they were. Items are never changed in place, so being the same is enough. */
export type Written = {
  readonly fields: ReadonlyMap<string, string>;
  readonly items: ReadonlyMap<number, unknown>;
};

export function writtenOf<T extends object>(shape: Shape<T>, state: T): Written {
  const fields = new Map<string, string>();
  const items = new Map<number, unknown>();
  for (const [name, value] of Object.entries(state)) {
    if (name === shape.list) for (const item of value as unknown[]) items.set(shape.key(item as never), item);
    else if (value !== undefined) fields.set(name, JSON.stringify(value));
  }
  return { fields, items };
}

/** Null when nothing changed. */
export function patchBetween(before: Written, after: Written): Patch | null {
  const set: Record<string, unknown> = {};
  for (const [name, text] of after.fields) {
    if (before.fields.get(name) !== text) set[name] = JSON.parse(text) as unknown;
  }
  for (const name of before.fields.keys()) if (!after.fields.has(name)) set[name] = null;
  const put = [...after.items]
    .filter(([key, item]) => before.items.get(key) !== item)
    .map(([, item]) => item);
  const drop = [...before.items.keys()].filter((key) => !after.items.has(key));
  return Object.keys(set).length + put.length + drop.length === 0 ? null : { set, put, drop };
}

/** The state with the patches over it, in order. */
export function patched<T extends object>(shape: Shape<T>, base: T, patches: readonly Patch[]): T {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(base));
  const items = new Map((fields[shape.list] as unknown[]).map((item) => [shape.key(item as never), item]));
  for (const { set, put, drop } of patches) {
    for (const [name, value] of Object.entries(set)) {
      if (value === null) delete fields[name];
      else fields[name] = value;
    }
    for (const key of drop) items.delete(key);
    for (const item of put) items.set(shape.key(item as never), item);
  }
  return { ...fields, [shape.list]: [...items.values()] } as T;
}

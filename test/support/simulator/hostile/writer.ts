import { addressFromBytes } from '@tradepost/solana';
import type { DatabaseRole } from '../../../../src/platform/db/grants.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import { committedRows } from '../../fakes/database.ts';
import type { Random } from '../random.ts';
import type { CertificateColumns } from './certified-database.ts';
import { deletableBy, type MemoryTable, type Place, placesOf } from './places.ts';

/** Where a thief wants everything. */
export const THIEF = addressFromBytes(new Uint8Array(32).fill(66));

const DAY_MS = 86_400_000;
const MOST_COPIES = 40;
/** Of all writes, those to sealed columns; the rest is any column that is declared. */
const SEALED_SHARE = 0.6;

export type WriterCounts = Record<'changed' | 'swapped' | 'deleted' | 'restored', number>;

/** A row before a write, with the certificates beside it. */
type Copy = { readonly row: unknown; readonly beside: readonly (readonly [string, string | null])[] };

/**
 * A writer of the database, with a superuser's rights or those of one role. It changes a column, swaps it with another row's, deletes a row or puts
 * an older copy of one back, whole with its certificates. Columns come from the registry. `onTouched` hears of each row, before and after.
 */
export function createWriter(run: {
  readonly raw: Database;
  readonly certificates: CertificateColumns;
  readonly random: Random;
  readonly role: DatabaseRole | null;
  readonly now: () => number;
  readonly trace: (line: string) => void;
  readonly onTouched: (rows: MemoryTable, key: string, row: unknown) => void;
}) {
  const { random, certificates, role } = run;
  const state = committedRows(run.raw);
  const places = placesOf(role);
  const deletable = deletableBy(role);
  const counts: WriterCounts = { changed: 0, swapped: 0, deleted: 0, restored: 0 };
  const copies = new Map<string, Copy[]>();
  const tableOf = (rows: MemoryTable): Map<string, unknown> => state[rows] as Map<string, unknown>;
  const besideOf = (table: string, key: string): readonly (readonly [string, string | null])[] =>
    [...certificates].filter(([name]) => name === `${table}/${key}` || name.startsWith(`${table}/${key}/`));

  /** Rows in the place of those under these keys; one with another key in it is found under that from now on. */
  function write(rows: MemoryTable, changed: readonly (readonly [key: string, row: unknown])[]): void {
    const table = tableOf(rows);
    for (const [key, row] of changed) {
      run.onTouched(rows, key, table.get(key));
      run.onTouched(rows, key, row);
      table.delete(key);
    }
    for (const [key, row] of changed) if (row !== undefined) table.set(keyOf(rows, row) ?? key, row);
  }

  /** Looks at every row now and then, so that there are older copies. */
  function remember(): void {
    for (const { table, rows } of places)
      for (const [key, row] of tableOf(rows)) {
        const known = copies.get(`${rows}/${key}`) ?? [];
        if (known.at(-1)?.row === row) continue;
        known.push({ row, beside: besideOf(table, key) });
        if (known.length > MOST_COPIES) known.shift();
        copies.set(`${rows}/${key}`, known);
      }
  }

  /** A column with a value, and its row. */
  function pick(): { readonly place: Place; readonly key: string } | null {
    const sealed = random.chance(SEALED_SHARE) ? places.filter(({ kind }) => kind === 'sealed') : [];
    const wanted = sealed.length > 0 ? sealed : places;
    // A table first: one with many columns is no more likely than one with few.
    const { table } = random.pick(
      wanted.filter((one, at) => wanted.findIndex((other) => other.table === one.table) === at),
    );
    const place = random.pick(wanted.filter((one) => one.table === table));
    const keys = [...tableOf(place.rows).keys()];
    return keys.length === 0 ? null : { place, key: random.pick(keys) };
  }

  function change(): boolean {
    const picked = pick();
    if (picked === null) return false;
    const { place, key } = picked;
    if (place.beside !== null) {
      const name = `${place.table}/${key}${place.beside}`;
      run.onTouched(place.rows, key, tableOf(place.rows).get(key));
      certificates.set(name, random.chance(0.5) ? null : random.pick([...certificates.values()]));
    } else {
      const row = tableOf(place.rows).get(key);
      const other = tableOf(place.rows).get(random.pick([...tableOf(place.rows).keys()]));
      const before = at(row, place.path);
      const after = otherValue(before, at(other, place.path), random, run.now());
      if (after === before) return false;
      write(place.rows, [[key, put(row, place.path, after)]]);
    }
    run.trace(`writer changes ${place.table}.${place.column} of ${key}`);
    counts.changed += 1;
    return true;
  }

  function swap(): boolean {
    const picked = pick();
    if (picked === null) return false;
    const { place, key } = picked;
    const table = tableOf(place.rows);
    const other = random.pick([...table.keys()]);
    if (other === key) return false;
    if (place.beside === null) {
      const [one, two] = [table.get(key), table.get(other)];
      const [mine, theirs] = [at(one, place.path), at(two, place.path)];
      if (Object.is(mine, theirs)) return false;
      write(place.rows, [
        [key, put(one, place.path, theirs)],
        [other, put(two, place.path, mine)],
      ]);
    } else {
      const names = [key, other].map((one) => `${place.table}/${one}${place.beside}`);
      const [mine = null, theirs = null] = names.map((name) => certificates.get(name) ?? null);
      for (const one of [key, other]) run.onTouched(place.rows, one, table.get(one));
      certificates.set(names[0] ?? '', theirs);
      certificates.set(names[1] ?? '', mine);
    }
    run.trace(`writer swaps ${place.table}.${place.column} of ${key} and ${other}`);
    counts.swapped += 1;
    return true;
  }

  function remove(): boolean {
    const picked = pick();
    if (picked === null || !deletable.includes(picked.place.table)) return false;
    write(picked.place.rows, [[picked.key, undefined]]);
    run.trace(`writer deletes ${picked.place.table} ${picked.key}`);
    counts.deleted += 1;
    return true;
  }

  function restore(): boolean {
    const picked = pick();
    if (picked === null) return false;
    const { rows, table } = picked.place;
    // A row that is gone comes back, too: so an address that its person removed.
    const known = [...copies.keys()].filter((name) => name.startsWith(`${rows}/`));
    if (known.length === 0) return false;
    const name = random.pick(known);
    const key = name.slice(rows.length + 1);
    const { row, beside } = random.pick(copies.get(name) ?? []);
    if (tableOf(rows).get(key) === row) return false;
    write(rows, [[key, row]]);
    for (const [certificate, value] of beside) certificates.set(certificate, value);
    run.trace(`writer restores ${table} ${key}`);
    counts.restored += 1;
    return true;
  }

  const acts =
    role === null ? [change, change, swap, swap, remove, restore, restore] : [change, change, swap, remove];
  return {
    counts,
    remember,
    /** One write; false where the picked one would have changed nothing. */
    act: (): boolean => random.pick(acts)(),
  };
}

/** The place of a row's key in it; the others' keys are of several columns. */
const KEYS: Partial<Record<MemoryTable, readonly string[]>> = {
  users: ['id'],
  wallets: ['id'],
  secrets: ['walletId'],
  guards: ['userId'],
  addressBook: ['id'],
  spendings: ['intentId'],
  uses: ['intentId'],
  intents: ['id'],
  attempts: ['id'],
  transfers: ['key'],
  orders: ['order', 'id'],
  orderGroups: ['id'],
};

function keyOf(rows: MemoryTable, row: unknown): string | null {
  const path = KEYS[rows];
  const key = path === undefined ? null : at(row, path);
  return typeof key === 'string' ? key : null;
}

/** The value at a path of a row; undefined where there is none. */
function at(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The row with another value there; the given one stays as it is. */
function put(row: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof row !== 'object' || row === null) return row;
  const copy = Array.isArray(row) ? [...(row as unknown[])] : { ...row };
  const record = copy as Record<string, unknown>;
  record[name] = put(record[name], rest, value);
  return copy;
}

/** Another value of the same kind: the thief's, another row's, or one that is near. The same one where nothing else can be. */
function otherValue(value: unknown, other: unknown, random: Random, now: number): unknown {
  if (other !== undefined && other !== value && random.chance(0.4)) return other;
  switch (typeof value) {
    case 'bigint':
      return random.pick([0n, value + 1n, value * 2n, value * 1_000n, value - 1n]);
    case 'number':
      return random.pick([0, value + 1, value - 1, value + DAY_MS, value - DAY_MS, now]);
    case 'boolean':
      return !value;
    case 'string':
      return otherText(value, random);
    case 'object':
      return value === null ? null : otherObject(value, random, now);
    case 'undefined':
    case 'symbol':
    case 'function':
      return value;
  }
}

function otherText(value: string, random: Random): string {
  if (isAddressLike(value)) return THIEF;
  const statuses = STATUSES.find((some) => some.includes(value));
  if (statuses !== undefined) return random.pick(statuses);
  return random.chance(0.5) ? `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}` : value;
}

/** Words of which a column knows some. */
const STATUSES: readonly (readonly string[])[] = [
  ['CREATED', 'ACTIVE', 'SUCCEEDED', 'REJECTED', 'EXPIRED'],
  ['SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN', 'FINALIZED', 'LANDED_ERR', 'DEAD'],
  ['ACCRUED', 'BATCHED', 'PAID'],
  ['OPEN', 'PAUSED', 'WAITING', 'TRIGGERED', 'FILLED', 'CANCELLED'],
  ['made', 'imported'],
  ['buy', 'sell'],
];

const isAddressLike = (value: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{40,44}$/.test(value);

/** One leaf of it is another. */
function otherObject(value: object, random: Random, now: number): unknown {
  if (value instanceof Uint8Array) {
    const bytes = Uint8Array.from(value);
    const index = random.between(0, Math.max(0, bytes.length - 1));
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    return bytes;
  }
  const names = Object.keys(value);
  if (names.length === 0) return value;
  const name = random.pick(names);
  const leaf = (value as Readonly<Record<string, unknown>>)[name];
  return put(value, [name], otherValue(leaf, undefined, random, now));
}

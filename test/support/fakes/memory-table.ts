/** Committed rows of one table, in insertion order. */
export type Table<V> = Map<string, V>;

/** A transaction's view of a table: its own changes over the committed rows, which stay as they are until `commit`. */
export type TableView<V> = {
  get(key: string): V | undefined;
  set(key: string, row: V): void;
  delete(key: string): void;
  rows(): V[];
  commit(): void;
};

export function viewOf<V>(table: Table<V>): TableView<V> {
  return new ChangedTable(table);
}

/** A class, because simulations open thousands of views per second and most of them change nothing. */
class ChangedTable<V> implements TableView<V> {
  readonly #table: Table<V>;
  #changes: Map<string, V | undefined> | null = null;

  constructor(table: Table<V>) {
    this.#table = table;
  }

  get(key: string): V | undefined {
    return this.#changes?.has(key) ? this.#changes.get(key) : this.#table.get(key);
  }

  set(key: string, row: V): void {
    this.#changes ??= new Map();
    this.#changes.set(key, row);
  }

  delete(key: string): void {
    this.#changes ??= new Map();
    this.#changes.set(key, undefined);
  }

  rows(): V[] {
    if (this.#changes === null) return [...this.#table.values()];
    const rows: V[] = [];
    for (const [key, row] of this.#table) {
      const now = this.#changes.has(key) ? this.#changes.get(key) : row;
      if (now !== undefined) rows.push(now);
    }
    for (const [key, row] of this.#changes) if (row !== undefined && !this.#table.has(key)) rows.push(row);
    return rows;
  }

  commit(): void {
    for (const [key, row] of this.#changes ?? []) {
      if (row === undefined) this.#table.delete(key);
      else this.#table.set(key, row);
    }
  }
}

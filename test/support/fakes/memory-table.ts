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
  const changes = new Map<string, V | undefined>();
  return {
    get: (key) => (changes.has(key) ? changes.get(key) : table.get(key)),
    set: (key, row) => void changes.set(key, row),
    delete: (key) => void changes.set(key, undefined),
    rows: () => {
      const rows: V[] = [];
      for (const [key, row] of table) {
        const now = changes.has(key) ? changes.get(key) : row;
        if (now !== undefined) rows.push(now);
      }
      for (const [key, row] of changes) if (row !== undefined && !table.has(key)) rows.push(row);
      return rows;
    },
    commit: () => {
      for (const [key, row] of changes) {
        if (row === undefined) table.delete(key);
        else table.set(key, row);
      }
    },
  };
}

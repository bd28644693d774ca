/** A row of several tables, whose columns carry their table's name. */
export type Columns = Readonly<Record<string, unknown>>;

/** `a, b_c AS "bC"` as columns of one table, named `table.a` and `table.bC`: tables share `id`, `status` and others. */
export function prefixed(table: string, columns: string, of = table): string {
  return columns
    .split(',')
    .map((column) => {
      const [name = '', alias = name] = column
        .trim()
        .split(/\s+AS\s+/)
        .map((word) => word.replaceAll('"', ''));
      return `${of}.${name} AS "${table}.${alias}"`;
    })
    .join(', ');
}

/** The columns of one table, under their own names. */
export function part<Row>(row: Columns, table: string): Row {
  const prefix = `${table}.`;
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  ) as Row;
}

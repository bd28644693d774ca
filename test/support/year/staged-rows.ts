import type pg from 'pg';

/** In which order rows of a table come about; indexes that are filled in another order are half again as large. */
const COMES_BY: Readonly<Record<string, string>> = {
  users: 'id',
  wallets: 'id',
  wallet_secrets: 'wallet_id',
  intents: 'id',
  attempts: 'id',
  rewards: 'id',
  notices: 'id',
  progress_messages: 'intent_id',
  ledger_transfers: 'id',
  ledger_entries: 'transfer_id, n',
  position_events: 'slot, signature',
  order_groups: 'id',
  orders: 'id',
  order_fires: 'fired_at',
  alerts: 'id',
  deposits: 'at',
};

/** Rows that wait to be written in the order in which they would have come about. */
export type StagedRows = {
  /** One row for each row of `per`: the original with some columns replaced by expressions over `per` and `original`. */
  copy(
    table: string,
    where: string,
    per: string,
    replaced: Readonly<Record<string, string>>,
    only?: string,
  ): Promise<void>;
  /** Rows that a statement selects, with all columns of the table that it names. */
  add(table: string, columns: string, select: string): Promise<void>;
  /** Writes what was staged. */
  write(): Promise<void>;
};

export function stageRows(client: pg.Client): StagedRows {
  const columnsOf = new Map<string, readonly string[]>();

  async function columns(table: string): Promise<readonly string[]> {
    const known = columnsOf.get(table);
    if (known !== undefined) return known;
    const { rows } = await client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped
         AND attgenerated = '' ORDER BY attnum`,
    );
    await client.query(`CREATE TEMP TABLE staged_${table} (LIKE ${table} INCLUDING DEFAULTS)`);
    const names = rows.map(({ name }) => name);
    columnsOf.set(table, names);
    return names;
  }

  return {
    copy: async (table, where, per, replaced, only = 'true') => {
      const names = await columns(table);
      const values = names.map((name) => replaced[name] ?? `original.${name}`);
      await client.query(
        `INSERT INTO staged_${table} (${names.join(', ')}) SELECT ${values.join(', ')}
         FROM (SELECT * FROM ${table} WHERE ${where}) AS original, ${per} WHERE ${only}`,
      );
    },
    add: async (table, names, select) => {
      await columns(table);
      await client.query(`INSERT INTO staged_${table} (${names}) ${select}`);
    },
    write: async () => {
      for (const [table, names] of columnsOf) {
        const list = names.join(', ');
        // What is there takes its place in the order: were it to the right of all, each page would be split in the middle.
        await client.query(`INSERT INTO staged_${table} (${list}) SELECT ${list} FROM ${table}`);
        await client.query(`DELETE FROM ${table}`);
        await client.query(`VACUUM ${table}`);
        await client.query(
          `INSERT INTO ${table} (${list}) SELECT ${list} FROM staged_${table} ORDER BY ${COMES_BY[table] ?? '1'}`,
        );
        await client.query(`DROP TABLE staged_${table}`);
      }
      columnsOf.clear();
    },
  };
}

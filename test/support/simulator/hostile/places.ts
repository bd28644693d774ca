import { type DatabaseRole, rightsOf } from '../../../../src/platform/db/grants.ts';
import { type ColumnClass, type Declared, type DeclaredTable, declaredOf } from '../../../trust/columns.ts';
import type { MemoryState } from '../../fakes/memory-state.ts';

/** A table of the database and where the database in memory has its rows. */
const TABLES_HERE = {
  users: 'users',
  wallets: 'wallets',
  wallet_secrets: 'secrets',
  guards: 'guards',
  address_book: 'addressBook',
  spending_uses: 'spendings',
  withdrawal_uses: 'uses',
  intents: 'intents',
  attempts: 'attempts',
  ledger_accounts: 'balances',
  ledger_transfers: 'transfers',
  ledger_entries: 'transfers',
  rewards: 'rewards',
  orders: 'orders',
  order_groups: 'orderGroups',
  order_fires: 'orderFires',
  system_flags: 'flags',
} as const satisfies Partial<Record<DeclaredTable, keyof MemoryState>>;

export type TableHere = keyof typeof TABLES_HERE;
export type MemoryTable = (typeof TABLES_HERE)[TableHere];

/** Columns whose value has another name or another place in memory; null where the database in memory has none. */
const OTHERWISE: Readonly<Record<string, readonly string[] | null>> = {
  'spending_uses.all_lamports': ['all'],
  'spending_uses.doubted_lamports': ['doubted'],
  'spending_uses.fee_lamports': ['fees'],
  'spending_uses.floor_lamports': ['floor'],
  // A whole row there is a number here.
  'ledger_accounts.key': null,
  'ledger_accounts.kind': null,
  'ledger_accounts.owner': null,
  'ledger_accounts.balance': [],
  'ledger_entries.transfer_id': null,
  'ledger_entries.n': null,
  'ledger_entries.account_key': ['entries', '0', 'account', 'owner'],
  'ledger_entries.amount': ['entries', '0', 'amount'],
  'orders.share_bps': ['amount', 'bps'],
  'orders.trigger_got': ['trigger', 'got'],
  'orders.trigger_given': ['trigger', 'given'],
  'orders.hold_slots': ['holdMs'],
  'order_fires.result': ['end', 'result'],
  'order_fires.given': ['end', 'given'],
  'order_fires.got': ['end', 'got'],
  'order_fires.ended_at': ['end', 'at'],
  'order_fires.reason': ['end', 'reason'],
  'order_fires.burnt_lamports': ['end', 'burntLamports'],
  'guards.halted_at': null,
  'system_flags.is_on': null,
  'system_flags.until_at': ['until'],
  'system_flags.paused_at': ['since'],
  'system_flags.updated_at': null,
};

/** Columns of certificates, which lie beside the rows. */
const BESIDE: Readonly<Record<string, string>> = {
  'users.certificate': '',
  'wallets.certificate': '',
  'wallets.confirmed_certificate': '/wallet-confirm',
  'wallets.payout_certificate': '/payout-wallet',
  'address_book.certificate': '',
};

/** Orders lie in memory beside two columns of their own. */
const BESIDE_ORDER: ReadonlySet<string> = new Set(['seq', 'placeKey']);
/** No value of the database in memory has these. */
const NOT_HERE: ReadonlySet<string> = new Set(['shard']);

/** A column of the registry, and its place in a row in memory. */
export type Place = {
  readonly table: TableHere;
  readonly rows: MemoryTable;
  readonly column: string;
  readonly kind: ColumnClass;
  /** Empty: the row itself. */
  readonly path: readonly string[];
  /** The end of the name of a certificate that lies beside the row; null where the column is in it. */
  readonly beside: string | null;
};

const camel = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function placeOf(table: TableHere, { column, kind }: Declared): Place | null {
  const name = `${table}.${column}`;
  const common = { table, rows: TABLES_HERE[table], column, kind };
  const beside = BESIDE[name];
  if (beside !== undefined) return { ...common, path: [], beside };
  const otherwise = OTHERWISE[name];
  if (otherwise === null || NOT_HERE.has(camel(column))) return null;
  const path = otherwise ?? [camel(column)];
  const isOfOrder = table === 'orders' && !BESIDE_ORDER.has(path[0] ?? '');
  return { ...common, path: isOfOrder ? ['order', ...path] : path, beside: null };
}

/** Every declared column of the tables that a run has, at its place in memory, in the registry's order. */
export const PLACES: readonly Place[] = (Object.keys(TABLES_HERE) as TableHere[]).flatMap((table) =>
  declaredOf(table).flatMap((declared) => placeOf(table, declared) ?? []),
);

/** Those that a role of the database may change; null: all, as a superuser. */
export function placesOf(role: DatabaseRole | null): readonly Place[] {
  if (role === null) return PLACES;
  return PLACES.filter(({ table, column }) =>
    rightsOf(role, table).some((right) => right === 'UPDATE' || right === `UPDATE (${column})`),
  );
}

/** Tables of a run from which the role may delete; null: all. */
export function deletableBy(role: DatabaseRole | null): readonly TableHere[] {
  const tables = Object.keys(TABLES_HERE) as TableHere[];
  return role === null ? tables : tables.filter((table) => rightsOf(role, table).includes('DELETE'));
}

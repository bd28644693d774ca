import { keysOf } from '../../core/records.ts';

/**
 * The rights of each role of the database on each table: the one place. `ops db roles` makes it so, and a test compares it with the schema
 * and with a real server. A table without a row is red. A role that may update or delete in a table may also lock it: Postgres knows no
 * smaller right. A role that updates some columns alone may lock rows, not the table. Rows are changed by statements alone: no role owns a
 * table, makes one, empties one or switches a trigger off.
 */

/** `signer` to `indexer` are the processes, `ops` the operator's commands, `backup` the dumps. The owner migrates, restores and drops. */
export const DATABASE_ROLES = ['signer', 'bot', 'worker', 'api', 'indexer', 'ops', 'backup'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

const RIGHTS = { s: 'SELECT', i: 'INSERT', u: 'UPDATE', d: 'DELETE' } as const;
/** As Postgres names it: on the table, or on one of its columns. */
export type Right = (typeof RIGHTS)[keyof typeof RIGHTS] | `UPDATE (${string})`;

/** Roles that do something with a table, each with the first letters of its rights. */
type Row = Partial<Record<Exclude<DatabaseRole, 'backup'>, string>>;

/** Dumps and the operator's commands read every table, those with sealed keys too: without the master key they tell nothing. */
const READERS: ReadonlySet<DatabaseRole> = new Set(['ops', 'backup']);

const GRANTS = {
  _prisma_migrations: { signer: 's', bot: 's', worker: 's', api: 's', indexer: 's' },

  // People and their keys.
  users: { signer: 'siu', bot: 'siu', worker: 'su', api: 's', ops: 'su' },
  wallets: { signer: 'siu', bot: 'siu', worker: 'siu', api: 'su', indexer: 's' },
  wallet_secrets: { signer: 'siu', bot: 'i', worker: 'i' },
  sealed_secrets: { signer: 'siu' },
  key_registry: { signer: 'siu', bot: 's', worker: 's', api: 's' },
  signer_heads: { signer: 'siu' },
  signer_lease: { signer: 'siu', ops: 'su' },
  exports: { signer: 'siu', bot: 's', worker: 's', api: 's' },
  guards: { signer: 'siu', bot: 'siu', worker: 'siu', api: 'siu', ops: 'siu' },
  address_book: { signer: 'su', bot: 'siud', worker: 'siud', api: 'sd', ops: 'sd' },
  act_uses: { signer: 'si', bot: 'si', worker: 'siud', api: 'si', ops: 'si' },
  spending_uses: { signer: 's', bot: 'si', worker: 'siud', api: 'si' },
  withdrawal_uses: { signer: 's', bot: 'si', worker: 'siud' },

  // Money.
  // The API writes those that a program asked for: without the signer's code they are signed by nothing.
  intents: { signer: 's', bot: 'siu', worker: 'siu', api: 'siu', ops: 'siu' },
  attempts: { signer: 's', bot: 's', worker: 'siu', api: 's', ops: 'siu' },
  outbox: { signer: 's', bot: 'siu', worker: 'siud', api: 'siu', ops: 'siu' },
  ledger_accounts: { bot: 'siu', worker: 'siu', ops: 'siu' },
  ledger_transfers: { signer: 's', bot: 'si', worker: 'si', ops: 'si' },
  ledger_entries: { signer: 's', bot: 'si', worker: 'si', ops: 'si' },
  rewards: { signer: 's', bot: 'su', worker: 'siu', api: 'su', ops: 'siu' },
  referral_accounts: { bot: 'siu', worker: 's', api: 's' },
  retired_referral_codes: { bot: 'siu' },
  campaign_arrivals: { bot: 'si' },
  deposits: { bot: 's', worker: 'siud' },
  deposit_cursors: { worker: 'siud' },
  unread_deposits: { worker: 'siud' },
  positions: { bot: 'siu', worker: 'siu', api: 's', ops: 'siu' },
  position_events: { bot: 'siu', worker: 'siu', api: 's', ops: 'siu' },
  position_pending: { bot: 'sid', worker: 'sid', api: 's', ops: 'sid' },
  position_scans: { bot: 'siu', worker: 'siu' },
  wallet_checks: { bot: 'siu', worker: 'siu' },
  wallet_days: { bot: 's', worker: 'siu' },

  // Orders.
  order_groups: { signer: 's', bot: 'siu', worker: 'siu', api: 'siu', ops: 'su' },
  orders: { signer: 'su', bot: 'siu', worker: 'siu', api: 'siu', ops: 'su' },
  order_fires: { signer: 's', bot: 'siu', worker: 'siu', api: 'su', ops: 'siu' },
  order_marks: { bot: 's', worker: 'siu' },
  trail_peaks: { bot: 's', worker: 'siud' },
  creator_moves: { worker: 'siud' },
  creator_places: { worker: 'siu' },
  shard_leases: { worker: 'siud' },
  alerts: { bot: 'siu', worker: 'su' },
  follows: { bot: 'siud', worker: 'su' },
  leader_trades: { bot: 's', worker: 'siud' },
  follow_places: { worker: 'siu' },
  leader_histories: { bot: 's', worker: 'siud' },
  leader_funders: { worker: 'siud' },
  signals: { bot: 'siud', worker: 'su' },
  signal_hits: { worker: 'siud' },
  groups: { bot: 'siu' },
  launches_seen: { bot: 's', worker: 'siud' },
  launch_places: { worker: 'siu' },
  launch_alerts: { bot: 'siu', worker: 'su' },
  launch_notices: { bot: 's', worker: 'siud' },
  group_calls: { bot: 'siu', worker: 'sud' },
  copies: { signer: 'su', bot: 'siu', worker: 'su', api: 'su', ops: 'su' },
  // The signer alone writes uses: no other role makes one, and none but the worker takes one away.
  personal_keys: { signer: 's', bot: 'siu', worker: 's', api: 'su', ops: 'su' },
  personal_key_nonces: { worker: 'sud', api: 'si' },
  personal_key_uses: { signer: 'si', bot: 's', worker: 'sud', api: 's' },
  copy_trades: { signer: 's', bot: 'su', worker: 'siud', api: 'su', ops: 'su' },

  paper_copies: { bot: 'sid', worker: 's' },
  paper_copy_trades: { bot: 'sd', worker: 'si' },

  // The chat.
  buttons: { bot: 'siud', worker: 'siud' },
  notices: { bot: 'siu', worker: 'siud', api: 'siu', ops: 'siu' },
  progress_messages: { bot: 'siu', worker: 'siud', ops: 'siu' },
  bot_dialogs: { bot: 'siud' },
  bot_locks: { bot: 'siud' },
  bot_updates: { bot: 'siud' },

  // Tokens, points, games.
  created_tokens: { bot: 's', worker: 'siu', api: 's', ops: 'siu' },
  launches: { bot: 's', worker: 'siu', api: 's', ops: 'siu' },
  metadata_files: { bot: 'siud', worker: 'siud', api: 'siud', ops: 'su' },
  awaited_mints: { bot: 'siu', worker: 'siud', api: 'siu' },
  point_miners: { bot: 'siu' },
  point_days: { bot: 'siu', worker: 'siu', ops: 'siu' },
  unbooked_points: { bot: 'siud', worker: 'sud', ops: 'sud' },
  point_profiles: { bot: 'siu' },
  point_redemptions: { signer: 's', bot: 'si', worker: 's', api: 's' },
  point_stocks: { bot: 'su', ops: 'siu' },
  point_seasons: { bot: 's', ops: 'siu' },
  convert_periods: { signer: 'siu', bot: 'su', worker: 'su', ops: 'siu' },
  convert_entries: { bot: 'si', worker: 's' },
  convert_outcomes: { bot: 's', worker: 'si', ops: 'si' },
  convert_watchers: { bot: 'si', worker: 'sud', ops: 'sud' },
  game_rounds: { bot: 'siu', worker: 'su', api: 's', ops: 'su' },

  // Figures of `/status`. Each process that quotes counts; the delete is of days that are kept no more.
  quote_sources: { bot: 'siud', worker: 'siud', api: 'siud' },
  trade_verdicts: { worker: 'siud', api: 's' },

  // Keys of the API.
  api_keys: { worker: 'siu', api: 'siu', ops: 'siu' },
  api_key_requests: { bot: 'su', worker: 'siud', api: 'siud', ops: 'su' },
  api_limits: { api: 'siu' },
  api_usage: { worker: 'sd', api: 'siud' },
  ip_blocks: { api: 'siud', ops: 'sid' },
  idempotency_keys: { worker: 'sud', api: 'siud' },
  one_time_links: { bot: 'su', worker: 'siud', api: 'siu', ops: 'su' },
  mails: { bot: 'si', worker: 'siud', api: 'si', ops: 'siu' },
  submissions: { worker: 'sud', api: 'siu' },
  webhooks: { worker: 's', api: 'siud' },
  webhook_deliveries: { worker: 'siud', api: 'siud' },

  // The market. Partitions are made and dropped by functions of the owner.
  pools: { bot: 'siu', worker: 'siud', api: 'siu', indexer: 's', ops: 'siu' },
  pool_searches: { bot: 'siu', worker: 'siud', api: 'siu', indexer: 's', ops: 'siu' },
  traded_tokens: { bot: 's', worker: 'siud', api: 's' },
  lookup_tables: { signer: 's', bot: 's', worker: 's', api: 's', indexer: 's', ops: 'siud' },
  indexed_tokens: { bot: 'siu', worker: 'siu', api: 'siu' },
  trending_tokens: { bot: 's', worker: 'siud', api: 's' },
  markets: { bot: 's', worker: 'siu', api: 'su', indexer: 'siu', ops: 'su' },
  market_names: { bot: 's', worker: 'si', api: 's', indexer: 'si' },
  market_cursors: { bot: 's', worker: 'siu', api: 's', indexer: 'siu', ops: 'su' },
  market_stats: { bot: 's', worker: 'siu', api: 's', indexer: 'siu', ops: 'siu' },
  trades: { bot: 's', worker: 's', api: 's', indexer: 'siud', ops: 'siud' },
  last_trades: { bot: 's', worker: 's', api: 's', indexer: 'siud', ops: 'siud' },
  candles: { bot: 's', worker: 'sd', api: 's', indexer: 'siud', ops: 'siud' },
  trader_markets: { bot: 's', worker: 's', api: 's', indexer: 'siud', ops: 'siud' },
  wallet_flows: { worker: 'sud', api: 's', indexer: 'siu', ops: 'siu' },
  slot_times: { bot: 's', worker: 's', api: 's', indexer: 'siu', ops: 'si' },
  tape_log: { bot: 's', worker: 'sd', api: 's', indexer: 'si', ops: 'si' },
  tape_meta: { bot: 's', worker: 'siu', api: 's', indexer: 'siu' },
  tape_faults: { api: 's', indexer: 'siud', ops: 'siud' },
  tape_sources: { indexer: 'siu', ops: 'siu' },
  indexers: { indexer: 'siud' },

  // The service itself.
  system_flags: { signer: 'siu', bot: 's', worker: 'siu', api: 's', indexer: 's', ops: 'siu' },
  audit_log: { signer: 'si', bot: 'si', worker: 'si', api: 'si', ops: 'si' },
  audit_cursors: { signer: 'siu', ops: 'siu' },
  quarantines: { signer: 'siu', bot: 's', worker: 'siu', ops: 'siu' },
  watchers: { worker: 'siud' },
  processes: { signer: 'siud', bot: 'siud', worker: 'siud', api: 'siud', indexer: 'siud' },
  health_days: { worker: 'siud', api: 's' },
  incidents: { api: 's', ops: 'siu' },
  incident_notes: { api: 's', ops: 'si' },
} as const satisfies Record<string, Row>;

export type GrantedTable = keyof typeof GRANTS;

/**
 * Of these tables, `u` is these columns alone, for every role but the signer: it certifies the others, and no statement of another role
 * changes them. No other role changes a column that is not named here.
 */
const OPEN_COLUMNS: { readonly [T in GrantedTable]?: readonly string[] } = {
  users: [
    'first_name',
    'telegram_language',
    'settings',
    'active_wallet_id',
    'screen_message_id',
    'blocked_at',
  ],
  address_book: ['name'],
  wallets: [
    'name',
    'deleted_at',
    'confirmed_at',
    'payout_from',
    'confirmed_certificate',
    'payout_certificate',
  ],
  personal_keys: ['ended_at'],
  personal_key_uses: ['told_at'],
};

/** Of these tables, the signer's `u` is these columns alone: `ops trust adopt` writes them under its role. */
const SIGNER_COLUMNS: { readonly [T in GrantedTable]?: readonly string[] } = {
  orders: ['certificate'],
  copies: ['certificate'],
  address_book: ['certificate'],
};

/** Every table that a right is given on. */
export const TABLES: readonly GrantedTable[] = keysOf(GRANTS);

/** The rights of the role on the table. */
export function rightsOf(role: DatabaseRole, table: GrantedTable): readonly Right[] {
  const row: Row = GRANTS[table];
  const letters = role === 'backup' ? '' : (row[role] ?? '');
  return keysOf(RIGHTS)
    .filter((letter) => letters.includes(letter) || (letter === 's' && READERS.has(role)))
    .flatMap((letter): readonly Right[] => {
      const columns = letter === 'u' ? (role === 'signer' ? SIGNER_COLUMNS : OPEN_COLUMNS)[table] : undefined;
      return columns?.map((column): Right => `UPDATE (${column})`) ?? [RIGHTS[letter]];
    });
}

/** Sequences that belong to no column, and who takes numbers from them and moves them on. */
export const SEQUENCES: Readonly<Record<string, readonly DatabaseRole[]>> = {
  // Every process that reads a tape in ClickHouse moves it beyond the rows there.
  tape_version: ['bot', 'worker', 'api', 'indexer', 'ops'],
};

/** Functions that run as the owner, and who may call them. All others run as their caller and give no right. */
export const FUNCTIONS: Readonly<Record<string, readonly DatabaseRole[]>> = {
  'tape_drop_partition(text)': ['worker', 'indexer', 'ops'],
  'tape_make_partition(text,bigint,bigint)': ['worker', 'indexer', 'ops'],
};

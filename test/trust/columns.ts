import { keysOf } from '../../src/core/records.ts';
import type { GrantedTable } from '../../src/platform/db/grants.ts';

/**
 * The effect of a writer of the database who changes a column, for every column of every table. `sealed`: nothing moves, or the audit
 * names it. `bounded`: it chooses among what another limit leaves. `display`: other words or figures are shown. `liveness`: something
 * stops, comes later, or is done more often without money. `open`: money can follow, and docs/security.md says so.
 */
export const CLASSES = ['sealed', 'bounded', 'open', 'display', 'liveness'] as const;
export type ColumnClass = (typeof CLASSES)[number];

/** Columns with the seal or the limit that holds them, and the suite that plays it. */
type Held = { readonly columns: string; readonly by: string; readonly suite: string };
type Open = { readonly columns: string; readonly why: string };
type Row = {
  readonly sealed?: Held;
  readonly bounded?: Held;
  readonly open?: Open;
  readonly display?: string;
  readonly liveness?: string;
};

const PEOPLE = 'test/trust/tampered.int.test.ts';
const GUARDS = 'test/trust/tampered-guards.int.test.ts';
const ORDERS = 'test/trust/tampered-orders.int.test.ts';
const EXPORTS = 'test/trust/tampered-exports.int.test.ts';
const KEYS = 'test/trust/tampered-keys.int.test.ts';
const USES = 'test/trust/tampered-uses.int.test.ts';
const CONVERSIONS = 'test/trust/tampered-conversions.int.test.ts';
const CODES = 'test/trust/tampered-codes.int.test.ts';
const CHAT_SEALS = 'test/platform/chat-seals.test.ts';
const COPIED = 'test/engine/signing/copied-uses.test.ts';
const MANDATES = 'test/engine/signing/copy-mandate.test.ts';
const JOURNAL = 'test/engine/signing/signing-journal.test.ts';
const HELD = 'test/engine/signing/payout-held.test.ts';
const INTENTS = 'test/conformance/vault.ts';
const CALLERS = 'test/platform/signer/callers.test.ts';

const TRADE_BOUND =
  'a fire brings its sealed least, whatever price the rows say; a trade brings the minimum shown';
const DEBT_BOUND = 'a debt that no signed trade proves is paid up to PAYOUTS_UNPROVED_LAMPORTS a day';
const CODE_BOUND =
  'newcomers alone are bound to the person of the row; the certificate of each binds them for good, and their fees bring the share';
const NO_KEY = 'the API signs nothing: who takes an answer signs it';

const COLUMNS = {
  // People and their keys.
  users: {
    sealed: {
      columns: 'id telegram_id inviter_id certificate',
      by: "the person's certificate",
      suite: PEOPLE,
    },
    bounded: {
      columns: 'settings active_wallet_id created_at',
      by: "the person's own wallets, and the gate's limits",
      suite: PEOPLE,
    },
    display: 'first_name telegram_language screen_message_id',
    liveness: 'blocked_at',
  },
  wallets: {
    sealed: {
      columns:
        'id user_id address origin certificate confirmed_at payout_from confirmed_certificate payout_certificate',
      by: "the wallet's certificate, and one of each moment of receiving",
      suite: PEOPLE,
    },
    display: 'name created_at',
    liveness: 'deleted_at',
  },
  wallet_secrets: {
    sealed: {
      columns: 'wallet_id user_id public_key version kek_id wrapped_dek sealed_seed',
      by: 'AES-256-GCM bound to wallet, person and address',
      suite: 'test/platform/vault/seal.test.ts',
    },
  },
  sealed_secrets: {
    sealed: {
      columns: 'name kek_id wrapped',
      by: 'AES-256-GCM bound to its name',
      suite: 'test/platform/sealed-secret.test.ts',
    },
  },
  key_registry: { display: 'first_seen retired_at', liveness: 'kek_id probe' },
  signer_heads: { display: 'at', liveness: 'journal_id seq hash' },
  signer_lease: { display: 'behind', liveness: 'id holder epoch until level witnesses' },
  exports: {
    sealed: {
      columns: 'id user_id wallet_id asked_at ready_at ends_at end_kind end_at stopped_by',
      by: "the signer's journal",
      suite: EXPORTS,
    },
  },
  guards: {
    sealed: {
      columns: `user_id pin_hash pin_set_at pin_is_first delay_from frozen_at unfreeze_at cap_lamports next_cap_lamports next_cap_at
        totp_box totp_ends_at recovery_codes next_totp_box spend_cap_lamports next_spend_cap_lamports next_spend_cap_at
        unlocked_until unlocks_from notice_mail next_notice_mail next_notice_mail_at lock_epoch version certificate`,
      by: "the guard's certificate, and its newest version by the journal",
      suite: GUARDS,
    },
    bounded: {
      columns: `pin_failures pin_locks pin_locked_until pin_trying pin_right_at totp_step next_recovery_codes next_totp_link
        next_totp_until`,
      by: 'the journal counts wrong PINs itself, a right one moves one sum below the daily one, codes live for a minute',
      suite: GUARDS,
    },
    liveness: 'halted_at',
  },
  address_book: {
    sealed: {
      columns: 'id user_id wallet_id address added_at certificate',
      by: "the address's certificate",
      suite: GUARDS,
    },
    display: 'name',
  },
  act_uses: { liveness: 'id user_id account rate at' },
  spending_uses: {
    bounded: {
      columns:
        'intent_id user_id lamports counts_at all_lamports doubted_lamports fee_lamports floor_lamports',
      by: 'the journal counts all spending of a person; spending without a PIN and on tokens in doubt is a part of it',
      suite: USES,
    },
  },
  withdrawal_uses: {
    bounded: {
      columns: 'intent_id user_id lamports counts_at',
      by: 'the journal counts all that leaves: SOL, the confirmed worth of tokens, and those of unknown worth',
      suite: USES,
    },
  },

  // Money.
  intents: {
    sealed: {
      columns: 'id kind user_id wallet_id idem_key params confirmation',
      by: 'the code of what its person confirmed',
      suite: INTENTS,
    },
    bounded: {
      columns: 'status not_before created_at',
      by: 'the journal signs no second live message of an intent; the signer asks the certified address itself whether it has waited',
      suite: GUARDS,
    },
    display: 'receipt outcome updated_at',
    liveness: 'lease_owner lease_until lease_epoch',
  },
  attempts: {
    bounded: {
      columns:
        'id intent_id n signed_transaction signature blockhash last_valid_block_height signed_slot status landed_slot chain_error death_proof landing_proof terms',
      by: 'the signer asks its journal and the chain before it signs beside another message; what is sent is signed bytes',
      suite: JOURNAL,
    },
    display: 'signed_at',
    liveness: 'send_count last_sent_at',
  },
  outbox: { liveness: 'id job data key not_before dispatched_at' },
  ledger_accounts: {
    bounded: { columns: 'key kind owner balance', by: DEBT_BOUND, suite: JOURNAL },
  },
  ledger_transfers: {
    bounded: { columns: 'id key reason ref currency', by: DEBT_BOUND, suite: HELD },
    display: 'created_at',
  },
  ledger_entries: {
    bounded: { columns: 'transfer_id n account_key amount', by: DEBT_BOUND, suite: HELD },
  },
  rewards: {
    bounded: {
      columns:
        'id inviter_id invitee_id intent_id signature fee_lamports lamports status payout_intent_id source',
      by: DEBT_BOUND,
      suite: JOURNAL,
    },
    display: 'created_at',
  },
  referral_accounts: {
    bounded: { columns: 'user_id code', by: CODE_BOUND, suite: CODES },
    display: 'created_at',
    liveness: 'codes_chosen',
  },
  retired_referral_codes: {
    bounded: { columns: 'code user_id', by: CODE_BOUND, suite: CODES },
    liveness: 'retired_at',
  },
  campaign_arrivals: { display: 'invitee_id inviter_id tag' },
  deposits: { display: 'wallet_id asset signature user_id units slot at', liveness: 'told state' },
  deposit_cursors: { liveness: 'account wallet_id signature held since' },
  unread_deposits: { liveness: 'wallet_id signature account cause seen_at next_look' },
  positions: {
    display: `wallet_id mint stale units cost realized hidden priced_at_receipt remainder_units withdrawn_units withdrawn_cost taken_units
      adjusted_units up_to_slot up_to_signature hidden_by_person odd_units odd_since midnight midnight_units midnight_value`,
  },
  position_events: {
    display: `wallet_id mint signature kind slot at units lamports revision final intent_id fee_lamports platform_fee_lamports
      rent_lamports`,
  },
  position_pending: {
    display: `wallet_id mint signature kind slot at units lamports revision final intent_id attempt_id fee_lamports
      platform_fee_lamports rent_lamports`,
  },
  position_scans: { liveness: 'account wallet_id done_signature newest_signature before_signature' },
  wallet_checks: { liveness: 'wallet_id checked_at asked_at' },
  wallet_days: { display: 'wallet_id day net_value' },

  // Orders.
  orders: {
    sealed: {
      columns: `id user_id wallet_id mint side type amount share_bps unit trigger_got trigger_given hold_slots partial terms expires_at
        certificate`,
      by: "the order's certificate",
      suite: ORDERS,
    },
    bounded: {
      columns: 'group_id filled progress not_before_slot status afterwards',
      by: 'the journal knows fires and ends; each fire is within the sealed terms',
      suite: ORDERS,
    },
    display: 'number reason received burnt_lamports created_at',
    liveness: 'fires version seq shard place_key',
  },
  order_groups: {
    bounded: {
      columns: 'user_id units sold parent_intent_id',
      by: 'the sealed amount of each order',
      suite: ORDERS,
    },
    display: 'kind created_at',
    liveness: 'id wallet_id mint open place_key',
  },
  order_fires: {
    bounded: {
      columns: 'order_id n units result given ended_at',
      by: 'the fires of the journal',
      suite: ORDERS,
    },
    display: 'quoted event_seen fired_at got burnt_lamports reason',
    liveness: 'group_id intent_id slot',
  },
  order_marks: {
    bounded: {
      columns: 'mint slot price_got price_given',
      by: TRADE_BOUND,
      suite: 'test/trust/order-sealed.test.ts',
    },
    liveness: 'at',
  },
  trail_peaks: {
    bounded: {
      columns: 'mint lane rate_got rate_given',
      by: TRADE_BOUND,
      suite: 'test/trust/order-sealed.test.ts',
    },
    liveness: 'at',
  },
  creator_moves: {
    bounded: {
      columns: 'mint creator recipient slot units',
      by: TRADE_BOUND,
      suite: 'test/trust/order-sealed.test.ts',
    },
    display: 'signature seen_at',
  },
  creator_places: { liveness: 'creator from_slot slot' },
  shard_leases: { liveness: 'shard owner until epoch' },
  alerts: {
    display: 'id user_id mint unit price_got price_given direction request created_at',
    liveness: 'repeats status armed told rests_until version place_key expires_at',
  },
  follows: {
    display: 'id user_id leader label min_lamports created_at',
    liveness: 'notices hour_at hour_told hour_held',
  },
  follow_places: { liveness: 'id place' },
  leader_trades: {
    bounded: {
      columns: 'leader signature mint side trade_id at units paid_mint paid_units taken_back',
      by: 'a copy buys within its mandate: per trade, day, total and end',
      suite: MANDATES,
    },
  },
  copies: {
    sealed: {
      columns: 'id user_id wallet_id leader rules lock_epoch until certificate',
      by: "the mandate's certificate",
      suite: MANDATES,
    },
    bounded: {
      columns: 'status since',
      by: 'an ended copy that goes on does so within its mandate and until its end',
      suite: MANDATES,
    },
    display: 'created_at',
    liveness: 'follow_id reason version',
  },
  copy_trades: {
    bounded: {
      columns: 'copy_id signature leg leader mint side intent_id status amount moved seen_at',
      by: "the signer's journal counts the purchases of a mandate; a sale is within what sealed purchases were quoted",
      suite: COPIED,
    },
    display: 'user_id burnt skip',
    liveness: 'tries due_at',
  },
  paper_copies: { display: 'user_id leader follow_id wallet_id rules since' },
  paper_copy_trades: {
    display: 'user_id leader signature leg mint side skip lamports network units seen_at',
  },
  leader_histories: {
    display: 'reached until ended',
    liveness: 'leader before_signature signatures reads',
  },
  leader_funders: { display: 'funder ended', liveness: 'leader tries retry_at' },
  signals: {
    display: 'user_id wallets span_ms',
    liveness: 'hour_at hour_told hour_held',
  },
  signal_hits: { liveness: 'user_id mint began_at until' },
  personal_keys: {
    sealed: {
      columns: 'id user_id wallet_id public_key host terms lock_epoch until certificate',
      by: "the key's certificate",
      suite: KEYS,
    },
    bounded: {
      columns: 'ended_at',
      by: "the signer's journal knows each end that it was asked for; any other key signs within its certified caps, until a lock",
      suite: KEYS,
    },
    display: 'created_at',
  },
  personal_key_uses: {
    bounded: {
      columns: 'key_id nonce at lamports',
      by: "the signer's journal counts the key's day and takes each nonce once",
      suite: KEYS,
    },
    display: 'user_id what subject side mint told_at',
  },
  personal_key_nonces: {
    bounded: {
      columns: 'key_id nonce until',
      by: "the signer's journal takes each nonce of a trade once",
      suite: KEYS,
    },
  },
  groups: {
    bounded: { columns: 'id owner_id carries_code', by: CODE_BOUND, suite: CODES },
    display: 'owner_name language changed_at',
  },
  group_calls: {
    display: `group_id mint caller_id caller_name called_at called_slot pico_usd units lamports best_lamports high_lamports high_slot`,
    liveness: 'due_at',
  },
  launches_seen: {
    display: `mint pad curve config creator signature created_slot created_at stage near_slot complete_slot graduated_slot sold_bps pool
      taken_back`,
    liveness: 'looked_at moved_at',
  },
  launch_places: { liveness: 'pad slot' },
  launch_alerts: { display: 'user_id stages filter', liveness: 'hour_at hour_told hour_held' },
  launch_notices: { display: 'user_id mint stage at message_id taken_back' },

  // The chat.
  buttons: {
    sealed: {
      columns: 'id user_id action payload expires_at seal',
      by: "the chat key's code",
      suite: CHAT_SEALS,
    },
    bounded: {
      columns: 'used_at',
      by: 'a payload with an effect has a key of its own, which counts once',
      suite: 'test/trust/one-use.test.ts',
    },
  },
  bot_dialogs: {
    sealed: { columns: 'key revision value', by: 'AES-256-GCM bound to key and revision', suite: CHAT_SEALS },
    liveness: 'expires_at',
  },
  bot_locks: { liveness: 'key token expires_at' },
  bot_updates: { liveness: 'key done tries lease_until expires_at' },
  notices: { display: 'id user_id intent_id kind payload created_at', liveness: 'delivered_at attempts' },
  progress_messages: { display: 'intent_id chat_id message_id' },

  // Tokens, points, games.
  created_tokens: {
    display:
      'mint user_id wallet_id creator intent_id signature spec way uri metadata_hash created_at revocations',
  },
  launches: {
    display:
      'mint user_id intent_id pad config first_buy_lamports sold_bps checked_at graduated_at created_at',
  },
  metadata_files: { display: 'sha256 type bytes other_name image_name', liveness: 'created_at unused_since' },
  awaited_mints: { liveness: 'mint sha256 uri since looked_at' },
  point_miners: {
    bounded: {
      columns: 'telegram_id user_id energy energy_at day mined_today streak last_tap_at',
      by: DEBT_BOUND,
      suite: JOURNAL,
    },
    liveness: 'version taps fast_taps pauses pause_sum_ms pause_squares_ms',
  },
  point_days: {
    bounded: { columns: 'user_id day earned mined trade_points trades', by: DEBT_BOUND, suite: JOURNAL },
  },
  unbooked_points: {
    bounded: {
      columns: 'user_id transfer_id transfer_key ref points since last_at',
      by: DEBT_BOUND,
      suite: JOURNAL,
    },
  },
  point_profiles: { display: 'user_id board_name' },
  point_redemptions: {
    bounded: {
      columns: 'id user_id idem_key item points effect starts_at ends_at',
      by: DEBT_BOUND,
      suite: JOURNAL,
    },
    display: 'created_at',
  },
  point_stocks: { bounded: { columns: 'item remaining', by: DEBT_BOUND, suite: JOURNAL } },
  point_seasons: {
    bounded: { columns: 'number carry_bps closed_at expired', by: DEBT_BOUND, suite: JOURNAL },
    display: 'started_at people',
  },
  convert_periods: {
    sealed: {
      columns: 'number budget_lamports opens_at closes_at certificate certified_at uncounted_lamports',
      by: 'its certificate, which the operator makes with the master key, and the sums of the journal by the opening',
      suite: CONVERSIONS,
    },
    bounded: {
      columns: 'status total_points paid_lamports',
      by: 'the certified budget is all that a period pays',
      suite: CONVERSIONS,
    },
    display: 'announced_at',
  },
  convert_entries: {
    bounded: { columns: 'id period user_id idem_key points', by: DEBT_BOUND, suite: JOURNAL },
    display: 'created_at',
  },
  convert_outcomes: {
    bounded: { columns: 'period user_id points lamports', by: DEBT_BOUND, suite: JOURNAL },
    display: 'at',
  },
  convert_watchers: { liveness: 'user_id created_at' },
  game_rounds: {
    bounded: {
      columns: 'id user_id game table_id commitment choice points day seed payout settled_at withdrawn_at',
      by: DEBT_BOUND,
      suite: JOURNAL,
    },
    display: 'created_at started_at',
  },

  // Keys of the API.
  api_keys: {
    bounded: {
      columns: 'id account hash scopes max_referrer_fee_bps expires_at revoked_at email replaced_by',
      by: NO_KEY,
      suite: CALLERS,
    },
    display: 'created_at',
    liveness: 'rate_per_second burst day_quota',
  },
  api_key_requests: {
    bounded: {
      columns: 'id email scopes status decided_by granted key_id claimed_at',
      by: NO_KEY,
      suite: CALLERS,
    },
    display: 'project intended_use per_day peak created_at confirmed_at decided_at reason question answer',
  },
  api_limits: { liveness: 'account tokens at day used' },
  api_usage: { display: 'account key_id route day requests status' },
  ip_blocks: { liveness: 'client since reason' },
  idempotency_keys: {
    bounded: { columns: 'answer', by: NO_KEY, suite: CALLERS },
    liveness: 'scope key request_hash owner expires_at',
  },
  one_time_links: {
    bounded: {
      columns: 'hash purpose subject expires_at used_at',
      by: 'a link stops, or gives a key of the API; a code by mail counts beside the PIN and a day',
      suite: 'test/trust/one-use.test.ts',
    },
  },
  mails: {
    bounded: {
      columns: 'to_address template subject args',
      by: 'a mailed link stops, or gives a key of the API; a code by mail counts beside the PIN and a day',
      suite: 'test/trust/one-use.test.ts',
    },
    display: 'id last_error created_at',
    liveness: 'status attempts due_at',
  },
  submissions: {
    bounded: {
      columns: 'signature transaction senders alone',
      by: 'the bytes that their owner signed, with their minimum',
      suite: 'test/modules/submissions/send-way.test.ts',
    },
    display: 'fee_payer account reference status slot err death_proof landing_proof received_at',
    liveness: 'blockhash last_valid_block_height slot_floor version sends last_sent_at changed_at',
  },
  webhooks: {
    display: 'id account slot email url events generation rotated_at created_at',
    liveness: 'failing_since disabled_at disabled_for told_at',
  },
  webhook_deliveries: {
    display: 'webhook_id event_id type body created_at answer error',
    liveness: 'status attempts due_at',
  },

  // The market: prices and names; trades and orders have bounds of their own.
  pools: {
    bounded: {
      columns: 'id venue mint_a mint_b reserve_a reserve_b',
      by: 'the signing policy proves where a trade pays, and its least',
      suite: 'test/engine/signing/hostile-trades.test.ts',
    },
    liveness: 'found_at asked_at seen_at seen_slot empty_since',
  },
  pool_searches: { liveness: 'venue mint_a mint_b searched_at asked_at outcome' },
  lookup_tables: {
    sealed: {
      columns: 'address authority entries',
      by: 'the signer compares them with the chain',
      suite: 'test/engine/lookup-tables/own-table.test.ts',
    },
    liveness: 'created_at closing_at',
  },
  indexed_tokens: { display: 'mint symbol name decimals symbol_key name_key skeleton first_seen_at read_at' },
  traded_tokens: { display: 'mint symbol name read_at' },
  trending_tokens: { display: 'hours computed_at tokens' },
  markets: {
    display: `id address venue program_id base_mint quote_mint base_decimals quote_decimals base_vault quote_vault kind created_slot
      is_primary liquidity_quote mid_price`,
    liveness: 'followed gap_since looked_at',
  },
  market_names: { display: 'mint ticker skeleton bare verified' },
  market_cursors: { display: 'market_id post_base post_quote', liveness: 'live_slot sealed_slot updated_at' },
  market_stats: {
    display:
      'market_id base quote buy_quote n high low before_id before_at before_price first_id first_at first_price last_id last_at last_price',
  },
  trades: {
    display: 'id market_id at is_buy base quote fee fee_source price dust trader signature source created_at',
  },
  last_trades: {
    display: 'market_id id at is_buy base quote fee fee_source price dust trader signature source created_at',
  },
  candles: {
    bounded: {
      columns: 'market_id res t o h l c',
      by: 'without the usual price of an hour a cheap sale asks no PIN; it still brings the minimum shown',
      suite: 'test/trust/settings-orders.test.ts',
    },
    display: 'base quote buy_quote n open_id close_id',
  },
  trader_markets: { display: 'trader market_id n' },
  wallet_flows: {
    display:
      'trader mint day bought cost_lamports cost_usd sold proceeds_lamports proceeds_usd trades unvalued',
  },
  slot_times: { display: 'slot at' },
  tape_log: { liveness: 'seq market_id trade_id retracted' },
  tape_meta: { liveness: 'name value' },
  tape_faults: { display: 'signature market_id slot why' },
  tape_sources: { liveness: 'name slot block_hash' },
  indexers: { liveness: 'owner until' },

  // The service itself.
  system_flags: {
    bounded: {
      columns: 'flag is_on until_at paused_at',
      by: 'a switch that is thrown back lets through what every other rule allows',
      suite: INTENTS,
    },
    display: 'updated_at reason',
  },
  audit_log: {
    sealed: {
      columns: 'id at actor act subject outcome details prev hash',
      by: "a chain of hashes, with its head in the signer's journal",
      suite: 'test/engine/audit/audit-log.int.test.ts',
    },
  },
  audit_cursors: { liveness: 'wallet_id signature lamports audited_at' },
  quarantines: {
    bounded: {
      columns: 'id reason data_as_of lifted_at',
      by: "the fence of the signer's journal",
      suite: JOURNAL,
    },
    display: 'entered_at report',
  },
  watchers: { liveness: 'owner until' },
  processes: { display: 'id roles version host started_at beat_at' },
  health_days: { display: 'part day measured down' },
  incidents: { display: 'id title parts opened_at closed_at' },
  incident_notes: { display: 'id incident_id at text' },
  quote_sources: { display: 'day pair_class source outcome gain_bps quotes' },
  trade_verdicts: { display: 'sender verdict cost_bps judged_at', liveness: 'intent_id' },
} as const satisfies Record<Exclude<GrantedTable, '_prisma_migrations'>, Row>;

export type DeclaredTable = keyof typeof COLUMNS;

/** Every table with declared columns. */
export const DECLARED_TABLES: readonly DeclaredTable[] = keysOf(COLUMNS);

const namesOf = (columns: string): readonly string[] => columns.split(/\s+/);

/** One column and how it is declared. `holds`: its seal, its limit, or for an `open` one the reason. */
export type Declared = {
  readonly table: DeclaredTable;
  readonly column: string;
  readonly kind: ColumnClass;
  readonly holds: string | null;
  readonly suite: string | null;
};

/** The declarations of a table, as written: a column that is written twice is there twice. */
export function declaredOf(table: DeclaredTable): readonly Declared[] {
  const row: Row = COLUMNS[table];
  return CLASSES.flatMap((kind) => {
    const part = row[kind];
    if (part === undefined) return [];
    const columns = typeof part === 'string' ? part : part.columns;
    const holds = typeof part === 'string' ? null : 'by' in part ? part.by : part.why;
    const suite = typeof part === 'string' || !('suite' in part) ? null : part.suite;
    return namesOf(columns).map((column) => ({ table, column, kind, holds, suite }));
  });
}

/** The columns of a table that are declared so. */
export function columnsOf(table: DeclaredTable, kind: ColumnClass): readonly string[] {
  return declaredOf(table).flatMap((one) => (one.kind === kind ? [one.column] : []));
}

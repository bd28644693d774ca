/** The tape, which the chain can give again. Its markets and their names are kept apart: the order of naming is recorded nowhere else. */
export const TAPE_TABLES = [
  'trades',
  'last_trades',
  'candles',
  'market_cursors',
  'market_stats',
  'tape_faults',
  'tape_meta',
  'tape_sources',
  'slot_times',
  'trader_markets',
  'wallet_flows',
  'trending_tokens',
  'tape_log',
] as const;

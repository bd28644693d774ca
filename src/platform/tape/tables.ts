/** The tape, which the chain tells again. Its markets and their names are kept apart: who was named first is nowhere else. */
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
  'trending_tokens',
  'tape_log',
] as const;

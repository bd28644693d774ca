-- Part of Postgres, and trusted: whoever owns the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Every token that may be searched for. Keys are ASCII (core/market/search-key.ts): under the C locale trigrams see nothing else.
CREATE TABLE indexed_tokens (
  mint          text PRIMARY KEY,
  -- As on chain, unsanitised.
  symbol        text,
  name          text,
  decimals      smallint NOT NULL,
  symbol_key    text NOT NULL,
  name_key      text NOT NULL,
  -- What a reader takes the ticker for, as in market_names; null where nothing shows.
  skeleton      text,
  first_seen_at timestamptz(3) NOT NULL,
  read_at       timestamptz(3) NOT NULL
);
CREATE INDEX indexed_tokens_symbol_idx ON indexed_tokens (symbol_key text_pattern_ops);
CREATE INDEX indexed_tokens_name_idx ON indexed_tokens (name_key text_pattern_ops);
CREATE INDEX indexed_tokens_symbol_trgm_idx ON indexed_tokens USING gin (symbol_key gin_trgm_ops);
CREATE INDEX indexed_tokens_name_trgm_idx ON indexed_tokens USING gin (name_key gin_trgm_ops);
CREATE INDEX indexed_tokens_seen_idx ON indexed_tokens (first_seen_at DESC, mint COLLATE "C");

-- What trends, one row per window of hours, as it was last worked out.
CREATE TABLE trending_tokens (
  hours       smallint PRIMARY KEY,
  computed_at timestamptz(3) NOT NULL,
  tokens      jsonb NOT NULL
);

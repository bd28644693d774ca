-- The tape: every trade of the followed markets once, the bars folded from them, and how far it is exact. Partitions are made by
-- the program when they are first needed. Amounts are units of the mint and fit u64; times of the chain are Unix seconds.

CREATE TABLE market_names (
  mint     text PRIMARY KEY,
  ticker   text NOT NULL UNIQUE,
  -- What a reader takes the ticker for; null where nothing of it shows.
  skeleton text,
  -- The ticker stands alone, without a piece of the mint behind it.
  bare     boolean NOT NULL,
  verified boolean NOT NULL
);
-- Two bare tickers that look alike would be one ticker to a reader.
CREATE UNIQUE INDEX market_names_skeleton_idx ON market_names (skeleton) WHERE bare;

CREATE TABLE markets (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address         text NOT NULL UNIQUE,
  venue           text NOT NULL,
  program_id      text NOT NULL,
  base_mint       text NOT NULL REFERENCES market_names (mint),
  quote_mint      text NOT NULL REFERENCES market_names (mint),
  base_decimals   smallint NOT NULL,
  quote_decimals  smallint NOT NULL,
  base_vault      text NOT NULL,
  quote_vault     text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('tokens', 'lamports', 'book')),
  created_slot    bigint NOT NULL,
  followed        boolean NOT NULL,
  is_primary      boolean NOT NULL,
  gap_since       bigint,
  liquidity_quote numeric(20, 0),
  CHECK (base_mint <> quote_mint)
);
CREATE UNIQUE INDEX markets_primary_idx ON markets (base_mint, quote_mint) WHERE is_primary;
CREATE INDEX markets_quote_mint_idx ON markets (quote_mint);

-- Ranges of ids, one partition per 216,000 slots: the primary key stays unique over all of them, and old days go by one DROP.
CREATE TABLE trades (
  id         bigint PRIMARY KEY,
  market_id  integer NOT NULL,
  at         bigint NOT NULL,
  is_buy     boolean NOT NULL,
  base       numeric(20, 0) NOT NULL,
  quote      numeric(20, 0) NOT NULL,
  fee        numeric(20, 0),
  fee_source text NOT NULL,
  price      numeric NOT NULL,
  dust       boolean NOT NULL,
  trader     bytea NOT NULL,
  signature  bytea NOT NULL,
  source     text NOT NULL,
  created_at timestamptz(3) NOT NULL
) PARTITION BY RANGE (id);
CREATE INDEX trades_market_idx ON trades (market_id, id DESC);

-- The newest trade of each market, kept when its partition is gone.
CREATE TABLE last_trades (
  market_id  integer PRIMARY KEY,
  id         bigint NOT NULL,
  at         bigint NOT NULL,
  is_buy     boolean NOT NULL,
  base       numeric(20, 0) NOT NULL,
  quote      numeric(20, 0) NOT NULL,
  fee        numeric(20, 0),
  fee_source text NOT NULL,
  price      numeric NOT NULL,
  dust       boolean NOT NULL,
  trader     bytea NOT NULL,
  signature  bytea NOT NULL,
  source     text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- Prices are of trades that are not dust; null where a bar has none. `open_id` and `close_id` order late rows.
CREATE TABLE candles (
  market_id integer NOT NULL,
  res       smallint NOT NULL,
  t         bigint NOT NULL,
  o         numeric,
  h         numeric,
  l         numeric,
  c         numeric,
  base      numeric NOT NULL,
  quote     numeric NOT NULL,
  buy_quote numeric NOT NULL,
  n         integer NOT NULL,
  open_id   bigint,
  close_id  bigint,
  PRIMARY KEY (market_id, res, t)
) PARTITION BY LIST (res);

CREATE TABLE market_cursors (
  market_id   integer PRIMARY KEY,
  live_slot   bigint NOT NULL,
  sealed_slot bigint NOT NULL,
  post_base   numeric(20, 0),
  post_quote  numeric(20, 0),
  updated_at  timestamptz(3) NOT NULL
);

-- Sums of the minute bars from the moment on that `tape_meta` names as `window_start`. `before_*`: the last price older than
-- that; `first_*`: the first one ever.
CREATE TABLE market_stats (
  market_id    integer PRIMARY KEY,
  base         numeric NOT NULL,
  quote        numeric NOT NULL,
  buy_quote    numeric NOT NULL,
  n            integer NOT NULL,
  high         numeric,
  low          numeric,
  before_id    bigint,
  before_at    bigint,
  before_price numeric,
  first_id     bigint,
  first_at     bigint,
  first_price  numeric,
  last_id      bigint,
  last_at      bigint,
  last_price   numeric
);

CREATE TABLE tape_faults (
  signature text NOT NULL,
  market_id integer NOT NULL,
  slot      bigint NOT NULL,
  why       text NOT NULL,
  PRIMARY KEY (market_id, signature)
);

CREATE TABLE tape_meta (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE tape_sources (
  name       text PRIMARY KEY,
  slot       bigint NOT NULL,
  block_hash text NOT NULL
);

CREATE TABLE slot_times (
  slot bigint PRIMARY KEY,
  at   bigint NOT NULL
);

-- How many trades of whom in which market, ever: who trades one token alone counts little in what trends.
CREATE TABLE trader_markets (
  trader    bytea NOT NULL,
  market_id integer NOT NULL,
  n         bigint NOT NULL,
  PRIMARY KEY (trader, market_id)
);

-- Clients that may not ask for order books any more, until an operator lifts it.
CREATE TABLE ip_blocks (
  client text PRIMARY KEY,
  since  timestamptz(3) NOT NULL,
  reason text NOT NULL
);

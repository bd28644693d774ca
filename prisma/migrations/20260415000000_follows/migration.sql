-- Wallets of others that people follow, and their trades.
CREATE TABLE follows (
  id text NOT NULL PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id),
  leader text NOT NULL,
  label text NOT NULL,
  min_lamports numeric(20, 0) NOT NULL CHECK (min_lamports >= 0),
  notices boolean NOT NULL,
  hour_at timestamptz(3),
  hour_told integer NOT NULL CHECK (hour_told >= 0),
  hour_held integer NOT NULL CHECK (hour_held >= 0),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX follows_user_id_leader_key ON follows (user_id, leader);
CREATE INDEX follows_leader_idx ON follows (leader);

CREATE TABLE leader_trades (
  leader text NOT NULL,
  signature text NOT NULL,
  mint text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  trade_id bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  units numeric(40, 0) NOT NULL CHECK (units > 0),
  paid_mint text,
  paid_units numeric(40, 0) CHECK (paid_units > 0),
  taken_back boolean NOT NULL,
  PRIMARY KEY (leader, signature, mint, side),
  CHECK ((paid_mint IS NULL) = (paid_units IS NULL))
);
CREATE INDEX leader_trades_leader_at_idx ON leader_trades (leader, at DESC);
CREATE INDEX leader_trades_trade_id_idx ON leader_trades (trade_id);
CREATE INDEX leader_trades_at_idx ON leader_trades (at);

CREATE TABLE follow_places (
  id integer NOT NULL PRIMARY KEY CHECK (id = 1),
  place bigint NOT NULL CHECK (place >= 0)
);

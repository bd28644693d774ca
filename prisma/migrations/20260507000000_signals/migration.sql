-- How many followed wallets must buy the same token, and within which time, before a person hears of it. No row: never.
CREATE TABLE signals (
  user_id text NOT NULL PRIMARY KEY REFERENCES users (id),
  wallets integer NOT NULL CHECK (wallets BETWEEN 2 AND 10),
  span_ms integer NOT NULL CHECK (span_ms BETWEEN 60000 AND 86400000),
  hour_at timestamptz(3),
  hour_told integer NOT NULL CHECK (hour_told >= 0),
  hour_held integer NOT NULL CHECK (hour_held >= 0)
);

-- The newest window of a token that a person was notified of: only a later one takes its place, so no purchase is told twice.
CREATE TABLE signal_hits (
  user_id text NOT NULL REFERENCES users (id),
  mint text NOT NULL,
  began_at timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL CHECK (until > began_at),
  PRIMARY KEY (user_id, mint)
);
CREATE INDEX signal_hits_until_idx ON signal_hits (until);
CREATE INDEX leader_trades_leader_mint_at_idx ON leader_trades (leader, mint, at DESC);

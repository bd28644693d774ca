-- What is known of exchange pools: which searches were made on the cluster, what they found, and how deep that was last seen.
-- A cache of the chain: losing every row costs searches, never money.

CREATE TABLE pool_searches (
  venue       text NOT NULL,
  mint_a      text NOT NULL,
  -- Empty: every pool that holds mint_a. Otherwise the later of the two addresses.
  mint_b      text NOT NULL,
  searched_at timestamptz(3) NOT NULL,
  asked_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (venue, mint_a, mint_b)
);

CREATE INDEX pool_searches_asked_at_idx ON pool_searches (asked_at);

CREATE TABLE pools (
  id          text PRIMARY KEY,
  venue       text NOT NULL,
  mint_a      text NOT NULL,
  mint_b      text NOT NULL,
  found_at    timestamptz(3) NOT NULL,
  asked_at    timestamptz(3) NOT NULL,
  -- Null until somebody has looked.
  seen_at     timestamptz(3),
  seen_slot   bigint,
  reserve_a   numeric(20, 0) CHECK (reserve_a >= 0),
  reserve_b   numeric(20, 0) CHECK (reserve_b >= 0),
  empty_since timestamptz(3)
);

CREATE INDEX pools_mint_a_idx ON pools (mint_a, venue);
CREATE INDEX pools_mint_b_idx ON pools (mint_b, venue);
CREATE INDEX pools_asked_at_idx ON pools (asked_at);

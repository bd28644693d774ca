-- Copies without money, and what each would have done on a leader's trade. Nothing of them is signed.
CREATE TABLE paper_copies (
  user_id text NOT NULL REFERENCES users (id),
  leader text NOT NULL,
  follow_id text NOT NULL,
  wallet_id text NOT NULL REFERENCES wallets (id),
  rules jsonb NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, leader)
);
CREATE INDEX paper_copies_leader_idx ON paper_copies (leader);
CREATE INDEX paper_copies_wallet_id_idx ON paper_copies (wallet_id);

CREATE TABLE paper_copy_trades (
  user_id text NOT NULL,
  leader text NOT NULL,
  signature text NOT NULL,
  leg text NOT NULL,
  mint text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  skip jsonb,
  -- Of a purchase what it takes, of a sale what it brings, its fees taken off: less than nothing where the network takes more.
  lamports numeric(20, 0) NOT NULL,
  network numeric(20, 0) NOT NULL CHECK (network >= 0),
  units numeric(40, 0) NOT NULL CHECK (units >= 0),
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, leader, signature, leg),
  CHECK ((skip IS NULL) = (units > 0))
);

-- How far a followed wallet's trades of before the first follow were read from the chain.
CREATE TABLE leader_histories (
  leader text NOT NULL PRIMARY KEY,
  -- Trades from here on are the tape's; older ones are read.
  until timestamptz(3) NOT NULL,
  -- The oldest signature that was read; absent before the first one.
  before_signature text,
  reached timestamptz(3) NOT NULL,
  signatures integer NOT NULL CHECK (signatures >= 0),
  reads integer NOT NULL CHECK (reads >= 0),
  -- Why it ended; absent while it goes on.
  ended text CHECK (ended IN ('whole', 'signatures', 'reads', 'pruned'))
);

-- How far a token account's transactions are known, so that a look at a wallet reads only what is new.
CREATE TABLE position_scans (
  account          text PRIMARY KEY,
  wallet_id        text NOT NULL REFERENCES wallets (id),
  -- This one and everything before it is known; null = nothing yet.
  done_signature   text,
  -- A look that had more to read than it may at once: its first transaction, and the last one that it read.
  newest_signature text,
  before_signature text,
  CHECK ((newest_signature IS NULL) = (before_signature IS NULL))
);

-- When a wallet was compared with the chain, and when a person last asked for it.
CREATE TABLE wallet_checks (
  wallet_id  text PRIMARY KEY REFERENCES wallets (id),
  checked_at timestamptz(3) NOT NULL,
  asked_at   timestamptz(3) NOT NULL
);
CREATE INDEX wallet_checks_checked_at_idx ON wallet_checks (checked_at);

-- A difference to the chain that no transaction explains, and since when: it counts only once it has lasted.
ALTER TABLE positions ADD COLUMN odd_units numeric(40, 0);
ALTER TABLE positions ADD COLUMN odd_since timestamptz(3);

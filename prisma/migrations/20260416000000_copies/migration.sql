-- Copies of followed wallets, and what each decided on a leader's trade.
CREATE TABLE copies (
  id text NOT NULL PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id),
  wallet_id text NOT NULL REFERENCES wallets (id),
  follow_id text NOT NULL,
  leader text NOT NULL,
  status text NOT NULL CHECK (status IN ('ON', 'PAUSED', 'ENDED')),
  reason text,
  rules jsonb NOT NULL,
  lock_epoch integer NOT NULL CHECK (lock_epoch >= 0),
  until timestamptz(3) NOT NULL,
  certificate text,
  since timestamptz(3) NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  created_at timestamptz(3) NOT NULL,
  CHECK ((status = 'PAUSED') = (reason IS NOT NULL))
);
CREATE INDEX copies_user_id_idx ON copies (user_id);
CREATE INDEX copies_wallet_id_idx ON copies (wallet_id);
CREATE INDEX copies_leader_idx ON copies (leader);
-- One that is not over per person and leader.
CREATE UNIQUE INDEX copies_open_key ON copies (user_id, leader) WHERE status <> 'ENDED';

CREATE TABLE copy_trades (
  copy_id text NOT NULL REFERENCES copies (id),
  signature text NOT NULL,
  leg text NOT NULL,
  user_id text NOT NULL,
  leader text NOT NULL,
  mint text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  status text NOT NULL CHECK (status IN ('SKIPPED', 'BUYING', 'BOUGHT', 'NOT_BOUGHT', 'OWED', 'SELLING', 'SOLD')),
  skip jsonb,
  intent_id text,
  amount numeric(20, 0) NOT NULL CHECK (amount >= 0),
  moved numeric(20, 0) NOT NULL CHECK (moved >= 0),
  burnt numeric(20, 0) NOT NULL CHECK (burnt >= 0),
  tries integer NOT NULL CHECK (tries >= 0),
  due_at timestamptz(3),
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (copy_id, signature, leg),
  CHECK ((status = 'SKIPPED') = (skip IS NOT NULL)),
  CHECK ((status = 'OWED') = (due_at IS NOT NULL)),
  CHECK (status NOT IN ('BUYING', 'BOUGHT', 'NOT_BOUGHT', 'SELLING') OR intent_id IS NOT NULL)
);
CREATE UNIQUE INDEX copy_trades_intent_id_key ON copy_trades (intent_id);
CREATE INDEX copy_trades_leader_mint_idx ON copy_trades (leader, mint);
CREATE INDEX copy_trades_due_at_idx ON copy_trades (due_at);
CREATE INDEX copy_trades_seen_at_idx ON copy_trades (seen_at);

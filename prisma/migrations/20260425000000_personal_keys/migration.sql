-- Keys of people's own programs, and the requests of them that the signer let pass.
CREATE TABLE personal_keys (
  id text NOT NULL PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id),
  wallet_id text NOT NULL REFERENCES wallets (id),
  public_key text NOT NULL,
  host text NOT NULL,
  terms jsonb NOT NULL,
  lock_epoch integer NOT NULL CHECK (lock_epoch >= 0),
  until timestamptz(3) NOT NULL,
  certificate text,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX personal_keys_user_id_idx ON personal_keys (user_id);
CREATE INDEX personal_keys_wallet_id_idx ON personal_keys (wallet_id);
-- One that was not ended per person and public key.
CREATE UNIQUE INDEX personal_keys_open_key ON personal_keys (user_id, public_key) WHERE ended_at IS NULL;

CREATE TABLE personal_key_uses (
  key_id text NOT NULL REFERENCES personal_keys (id),
  nonce text NOT NULL,
  user_id text NOT NULL,
  what text NOT NULL CHECK (what IN ('trade', 'order')),
  subject text NOT NULL,
  side text NOT NULL CHECK (side IN ('buy', 'sell')),
  mint text NOT NULL,
  lamports numeric(20, 0) NOT NULL CHECK (lamports >= 0),
  at timestamptz(3) NOT NULL,
  told_at timestamptz(3),
  PRIMARY KEY (key_id, nonce)
);
CREATE INDEX personal_key_uses_key_id_at_idx ON personal_key_uses (key_id, at);
CREATE INDEX personal_key_uses_at_idx ON personal_key_uses (at);
CREATE INDEX personal_key_uses_untold_idx ON personal_key_uses (at) WHERE told_at IS NULL;

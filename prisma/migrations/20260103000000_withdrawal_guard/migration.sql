-- What protects withdrawals beside the keys: PIN, freeze, daily cap, and the addresses a wallet may pay.

CREATE TABLE guards (
  user_id           text PRIMARY KEY REFERENCES users (id),
  pin_hash          text,
  pin_failures      integer NOT NULL DEFAULT 0 CHECK (pin_failures >= 0),
  pin_locks         integer NOT NULL DEFAULT 0 CHECK (pin_locks >= 0),
  pin_locked_until  timestamptz(3),
  delay_from        timestamptz(3),
  frozen_at         timestamptz(3),
  unfreeze_at       timestamptz(3),
  cap_lamports      bigint CHECK (cap_lamports >= 0),
  next_cap_lamports bigint CHECK (next_cap_lamports >= 0),
  next_cap_at       timestamptz(3)
);

CREATE TABLE address_book (
  id        text PRIMARY KEY,
  user_id   text NOT NULL REFERENCES users (id),
  wallet_id text NOT NULL REFERENCES wallets (id),
  address   text NOT NULL,
  name      text NOT NULL,
  added_at  timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX address_book_wallet_id_address_key ON address_book (wallet_id, address);

CREATE TABLE withdrawal_uses (
  -- Deferred: the use is written under the lock of its person, before the intent's own row.
  intent_id text PRIMARY KEY REFERENCES intents (id) DEFERRABLE INITIALLY DEFERRED,
  user_id   text NOT NULL REFERENCES users (id),
  lamports  bigint CHECK (lamports >= 0),
  counts_at timestamptz(3) NOT NULL
);
CREATE INDEX withdrawal_uses_user_id_counts_at_idx ON withdrawal_uses (user_id, counts_at);

CREATE TABLE sealed_secrets (
  name    text PRIMARY KEY,
  kek_id  text NOT NULL,
  wrapped bytea NOT NULL
);

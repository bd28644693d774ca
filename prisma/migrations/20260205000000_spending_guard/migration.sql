-- What a chat may spend without its PIN: a cap of its own, what counts against it, and how long a PIN unlocks trades.

ALTER TABLE guards
  ADD COLUMN spend_cap_lamports      bigint CHECK (spend_cap_lamports >= 0),
  ADD COLUMN next_spend_cap_lamports bigint CHECK (next_spend_cap_lamports >= 0),
  ADD COLUMN next_spend_cap_at       timestamptz(3),
  ADD COLUMN unlocked_until          timestamptz(3),
  ADD COLUMN unlocks_from            timestamptz(3),
  ADD COLUMN pin_trying              text;

CREATE TABLE spending_uses (
  -- Deferred: the use is written under the lock of its person, before the intent's own row.
  intent_id text PRIMARY KEY REFERENCES intents (id) DEFERRABLE INITIALLY DEFERRED,
  user_id   text NOT NULL REFERENCES users (id),
  lamports  bigint NOT NULL CHECK (lamports >= 0),
  counts_at timestamptz(3) NOT NULL
);
CREATE INDEX spending_uses_user_id_counts_at_idx ON spending_uses (user_id, counts_at);

-- The first schema. Ids are ULIDs as text, so ordering by id is ordering by time. Lamports fit bigint; token amounts (u64)
-- do not, and stand as tagged strings inside jsonb.

-- People and wallets ---------------------------------------------------------------------------------------------------

CREATE TABLE users (
  id                text PRIMARY KEY,
  telegram_id       bigint NOT NULL,
  first_name        text NOT NULL,
  telegram_language text,
  settings          jsonb NOT NULL,
  active_wallet_id  text,
  inviter_id        text REFERENCES users (id),
  screen_message_id integer,
  blocked_at        timestamptz(3),
  created_at        timestamptz(3) NOT NULL,
  CONSTRAINT users_invite_somebody_else CHECK (inviter_id <> id)
);
CREATE UNIQUE INDEX users_telegram_id_key ON users (telegram_id);
CREATE INDEX users_inviter_id_idx ON users (inviter_id);

CREATE TABLE wallets (
  id         text PRIMARY KEY,
  user_id    text REFERENCES users (id),
  name       text NOT NULL,
  address    text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
CREATE UNIQUE INDEX wallets_address_key ON wallets (address);
CREATE INDEX wallets_user_id_idx ON wallets (user_id);
-- Two wallets of one name would make "withdraw from Main" ambiguous. A deleted wallet frees its name.
CREATE UNIQUE INDEX wallets_active_name_key ON wallets (user_id, lower(name)) WHERE deleted_at IS NULL;
-- One treasury: fees that went to a second one would be lost to the books.
CREATE UNIQUE INDEX wallets_one_treasury_key ON wallets ((true)) WHERE user_id IS NULL;

ALTER TABLE users ADD CONSTRAINT users_active_wallet_id_fkey FOREIGN KEY (active_wallet_id) REFERENCES wallets (id);

CREATE TABLE wallet_secrets (
  wallet_id   text PRIMARY KEY REFERENCES wallets (id),
  user_id     text REFERENCES users (id),
  public_key  text NOT NULL,
  version     integer NOT NULL,
  kek_id      text NOT NULL,
  wrapped_dek bytea NOT NULL,
  sealed_seed bytea NOT NULL
);
CREATE UNIQUE INDEX wallet_secrets_public_key_key ON wallet_secrets (public_key);

-- Intents and attempts -------------------------------------------------------------------------------------------------

CREATE TABLE intents (
  id          text PRIMARY KEY,
  receipt     text NOT NULL,
  kind        text NOT NULL,
  user_id     text REFERENCES users (id),
  wallet_id   text NOT NULL REFERENCES wallets (id),
  idem_key    text NOT NULL,
  params      jsonb NOT NULL,
  status      text NOT NULL CHECK (status IN ('CREATED', 'ACTIVE', 'SUCCEEDED', 'FAILED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'NEEDS_REVIEW')),
  not_before  timestamptz(3),
  lease_owner text,
  lease_until timestamptz(3),
  lease_epoch integer NOT NULL,
  outcome     jsonb,
  created_at  timestamptz(3) NOT NULL,
  updated_at  timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX intents_idem_key_key ON intents (idem_key);
CREATE INDEX intents_user_id_id_idx ON intents (user_id, id);
CREATE INDEX intents_open_idx ON intents (id) WHERE status IN ('CREATED', 'ACTIVE');
CREATE INDEX intents_open_wallet_idx ON intents (wallet_id) WHERE status IN ('CREATED', 'ACTIVE');

CREATE TABLE attempts (
  id                      text PRIMARY KEY,
  intent_id               text NOT NULL REFERENCES intents (id),
  n                       integer NOT NULL,
  signed_transaction      bytea NOT NULL,
  signature               text NOT NULL,
  blockhash               text NOT NULL,
  last_valid_block_height bigint NOT NULL,
  signed_slot             bigint NOT NULL,
  signed_at               timestamptz(3) NOT NULL,
  status                  text NOT NULL CHECK (status IN ('SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN', 'FINALIZED', 'LANDED_ERR', 'DEAD')),
  send_count              integer NOT NULL,
  last_sent_at            timestamptz(3),
  landed_slot             bigint,
  chain_error             text,
  death_proof             jsonb,
  terms                   jsonb
);
CREATE UNIQUE INDEX attempts_signature_key ON attempts (signature);
CREATE UNIQUE INDEX attempts_intent_id_n_key ON attempts (intent_id, n);
-- At most one transaction of an intent can still land: the last line of defence against paying twice.
CREATE UNIQUE INDEX attempts_one_live_key ON attempts (intent_id) WHERE status IN ('SIGNED', 'SEEN', 'CONFIRMED', 'UNKNOWN');

CREATE TABLE outbox (
  id            text PRIMARY KEY,
  job           text NOT NULL,
  data          jsonb NOT NULL,
  key           text NOT NULL,
  not_before    timestamptz(3),
  dispatched_at timestamptz(3)
);
CREATE UNIQUE INDEX outbox_waiting_key_key ON outbox (key) WHERE dispatched_at IS NULL;
CREATE INDEX outbox_waiting_idx ON outbox (id) WHERE dispatched_at IS NULL;
CREATE INDEX outbox_dispatched_idx ON outbox (dispatched_at) WHERE dispatched_at IS NOT NULL;

-- Ledger ---------------------------------------------------------------------------------------------------------------

CREATE TABLE ledger_accounts (
  key     text PRIMARY KEY,
  kind    text NOT NULL,
  owner   text,
  -- Null for the house: one hot row would serialise every trade, so its balance is the sum of its entries.
  balance bigint,
  CONSTRAINT ledger_people_hold_a_balance CHECK ((owner IS NULL) = (balance IS NULL)),
  CONSTRAINT ledger_people_never_owe CHECK (balance >= 0)
);
INSERT INTO ledger_accounts (key, kind) VALUES
  ('house/treasury', 'treasury'), ('house/revenue', 'revenue'), ('house/network-fees', 'network-fees');

CREATE TABLE ledger_transfers (
  id         text PRIMARY KEY,
  key        text NOT NULL,
  reason     text NOT NULL,
  ref        text NOT NULL,
  currency   text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX ledger_transfers_key_key ON ledger_transfers (key);

CREATE TABLE ledger_entries (
  transfer_id text NOT NULL REFERENCES ledger_transfers (id),
  n           integer NOT NULL,
  account_key text NOT NULL REFERENCES ledger_accounts (key),
  amount      bigint NOT NULL,
  PRIMARY KEY (transfer_id, n)
);
CREATE INDEX ledger_entries_account_key_idx ON ledger_entries (account_key) INCLUDE (amount);

CREATE FUNCTION ledger_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'ledger: the entries of transfer % do not sum to zero', NEW.transfer_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfer_balances';
  END IF;
  RETURN NULL;
END $$;
-- Deferred: it judges the transfer when the transaction commits, with all of its entries in place.
CREATE CONSTRAINT TRIGGER ledger_transfer_balances AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balances();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: correct a mistake with a new transfer', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_keep BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE ON ledger_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfers_keep BEFORE TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Referrals ------------------------------------------------------------------------------------------------------------

CREATE FUNCTION keep_inviter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'users: the inviter is bound when the row is made and never again' USING ERRCODE = 'restrict_violation';
END $$;
-- Rebinding would let a person sell their invitation twice, and let two people invite each other.
CREATE TRIGGER users_keep_inviter BEFORE UPDATE OF inviter_id ON users
  FOR EACH ROW WHEN (NEW.inviter_id IS DISTINCT FROM OLD.inviter_id) EXECUTE FUNCTION keep_inviter();

CREATE TABLE referral_accounts (
  user_id    text PRIMARY KEY REFERENCES users (id),
  code       text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX referral_accounts_code_key ON referral_accounts (code);

CREATE TABLE rewards (
  id               text PRIMARY KEY,
  inviter_id       text NOT NULL REFERENCES users (id),
  invitee_id       text NOT NULL REFERENCES users (id),
  intent_id        text NOT NULL REFERENCES intents (id),
  signature        text NOT NULL,
  fee_lamports     bigint NOT NULL,
  lamports         bigint NOT NULL CHECK (lamports >= 0 AND lamports <= fee_lamports),
  status           text NOT NULL CHECK (status IN ('ACCRUED', 'BATCHED', 'PAID')),
  payout_intent_id text REFERENCES intents (id),
  created_at       timestamptz(3) NOT NULL,
  CONSTRAINT rewards_accrued_has_no_payout CHECK ((status = 'ACCRUED') = (payout_intent_id IS NULL))
);
CREATE UNIQUE INDEX rewards_signature_key ON rewards (signature);
CREATE INDEX rewards_inviter_id_id_idx ON rewards (inviter_id, id);
CREATE INDEX rewards_payout_intent_id_idx ON rewards (payout_intent_id);
CREATE INDEX rewards_accrued_idx ON rewards (inviter_id) WHERE status = 'ACCRUED';

-- Chat -----------------------------------------------------------------------------------------------------------------

CREATE TABLE buttons (
  id         text PRIMARY KEY,
  user_id    text NOT NULL,
  action     text NOT NULL,
  payload    jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3)
);
CREATE INDEX buttons_expires_at_idx ON buttons (expires_at);

CREATE TABLE notices (
  id           text PRIMARY KEY,
  user_id      text NOT NULL REFERENCES users (id),
  intent_id    text REFERENCES intents (id),
  kind         text NOT NULL,
  payload      jsonb NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  delivered_at timestamptz(3),
  attempts     integer NOT NULL
);
CREATE INDEX notices_undelivered_idx ON notices (id) WHERE delivered_at IS NULL;

CREATE TABLE progress_messages (
  intent_id  text PRIMARY KEY REFERENCES intents (id),
  chat_id    bigint NOT NULL,
  message_id integer NOT NULL
);

CREATE TABLE system_flags (
  flag       text PRIMARY KEY,
  is_on      boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Conversations: unlogged, because losing them costs "please start again" and writing them is on the path of every tap.

CREATE UNLOGGED TABLE bot_dialogs (
  key        text PRIMARY KEY,
  revision   integer NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX bot_dialogs_expires_at_idx ON bot_dialogs (expires_at);

CREATE UNLOGGED TABLE bot_locks (
  key        text PRIMARY KEY,
  token      text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

CREATE UNLOGGED TABLE bot_updates (
  key         text PRIMARY KEY,
  done        boolean NOT NULL,
  tries       integer NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL
);
CREATE INDEX bot_updates_expires_at_idx ON bot_updates (expires_at);

-- What a confirmed transaction does to positions until it is final: columns of position_events, and the attempt that it comes from.
-- The commit that ends the attempt in any way removes its rows. A rebuilt attempt has rows of its own.

CREATE TABLE position_pending (
  wallet_id             text NOT NULL REFERENCES wallets (id),
  mint                  text NOT NULL,
  signature             text NOT NULL,
  kind                  text NOT NULL CHECK (kind IN ('buy', 'sell', 'failed', 'own-out', 'own-in', 'received', 'airdrop',
                          'withdrawn', 'taken', 'remainder', 'creation', 'adjustment')),
  slot                  bigint NOT NULL CHECK (slot >= 0),
  at                    timestamptz(3) NOT NULL,
  units                 numeric(20, 0) NOT NULL CHECK (units >= 0 OR kind = 'adjustment'),
  lamports              bigint NOT NULL,
  revision              integer NOT NULL DEFAULT 0,
  final                 boolean NOT NULL CHECK (NOT final),
  intent_id             text NOT NULL REFERENCES intents (id),
  attempt_id            text NOT NULL REFERENCES attempts (id),
  fee_lamports          bigint NOT NULL CHECK (fee_lamports >= 0),
  platform_fee_lamports bigint NOT NULL CHECK (platform_fee_lamports >= 0),
  rent_lamports         bigint NOT NULL,
  PRIMARY KEY (wallet_id, mint, signature, kind)
);
CREATE INDEX position_pending_attempt_id_idx ON position_pending (attempt_id);

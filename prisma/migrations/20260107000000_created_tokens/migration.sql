-- Tokens that custodial wallets made here. `spec` is what was asked for, bigints as {"$bigint": "…"}; `revocations` names each
-- authority that nobody holds any more, with the signature that gave it up and when, in epoch milliseconds.

CREATE TABLE created_tokens (
  mint          text PRIMARY KEY,
  user_id       text NOT NULL REFERENCES users (id),
  wallet_id     text NOT NULL REFERENCES wallets (id),
  creator       text NOT NULL,
  intent_id     text NOT NULL UNIQUE REFERENCES intents (id),
  signature     text NOT NULL UNIQUE,
  spec          jsonb NOT NULL,
  way           text NOT NULL CHECK (way IN ('native', 'metaplex', 'none')),
  uri           text NOT NULL,
  metadata_hash text CHECK (metadata_hash ~ '^[0-9a-f]{64}$'),
  created_at    timestamptz(3) NOT NULL,
  revocations   jsonb NOT NULL CHECK (jsonb_typeof(revocations) = 'object')
);

CREATE INDEX created_tokens_user_id_created_at_idx ON created_tokens (user_id, created_at);
CREATE INDEX created_tokens_creator_created_at_idx ON created_tokens (creator, created_at);

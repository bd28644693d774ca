-- Tokens launched here, and how far along their curve they were last seen.

CREATE TABLE launches (
  mint               text PRIMARY KEY REFERENCES created_tokens (mint),
  user_id            text NOT NULL REFERENCES users (id),
  intent_id          text NOT NULL UNIQUE REFERENCES intents (id),
  pad                text NOT NULL,
  config             text,
  first_buy_lamports bigint NOT NULL CHECK (first_buy_lamports >= 0),
  sold_bps           integer NOT NULL CHECK (sold_bps BETWEEN 0 AND 10000),
  checked_at         timestamptz(3) NOT NULL,
  graduated_at       timestamptz(3),
  created_at         timestamptz(3) NOT NULL
);

CREATE INDEX launches_checked_at_idx ON launches (checked_at) WHERE graduated_at IS NULL;
CREATE INDEX launches_user_id_created_at_idx ON launches (user_id, created_at);

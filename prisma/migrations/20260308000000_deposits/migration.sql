-- What arrived in a wallet and was told: the key makes it once, whoever sees it and however often.
CREATE TABLE deposits (
  wallet_id text NOT NULL REFERENCES wallets (id),
  -- The mint, or 'SOL'.
  asset     text NOT NULL,
  signature text NOT NULL,
  user_id   text NOT NULL REFERENCES users (id),
  units     numeric(20, 0) NOT NULL CHECK (units > 0),
  slot      bigint NOT NULL,
  -- When it was seen here.
  at        timestamptz(3) NOT NULL,
  -- False where the person had been told of so many within the hour already.
  told      boolean NOT NULL,
  PRIMARY KEY (wallet_id, asset, signature)
);
CREATE INDEX deposits_user_id_at_idx ON deposits (user_id, at);
CREATE INDEX deposits_at_idx ON deposits (at);

-- How far the transactions of an account are known, and what it held then: so that a start asks only for what is new.
CREATE TABLE deposit_cursors (
  account   text PRIMARY KEY,
  wallet_id text NOT NULL REFERENCES wallets (id),
  -- This one and everything before it is known; null = nothing yet.
  signature text,
  -- Lamports of a wallet, units of a token account; null = not known.
  held      numeric(20, 0),
  -- What is older is nobody's news.
  since     timestamptz(3) NOT NULL
);
CREATE INDEX deposit_cursors_wallet_id_idx ON deposit_cursors (wallet_id);

-- What came before there were notices is told to nobody.
INSERT INTO deposit_cursors (account, wallet_id, since) SELECT address, id, now() FROM wallets WHERE user_id IS NOT NULL;

-- Transactions that an account's history lists and that could not be read: they are read again, and never passed over.
CREATE TABLE unread_deposits (
  wallet_id text NOT NULL REFERENCES wallets (id),
  signature text NOT NULL,
  -- The wallet, or the token account of it whose history lists the transaction.
  account   text NOT NULL,
  cause     text NOT NULL CHECK (cause IN ('unserved', 'disagree', 'gone', 'open', 'failed')),
  seen_at   timestamptz(3) NOT NULL,
  -- Null: two nodes deny it, and it is not read again.
  next_look timestamptz(3),
  PRIMARY KEY (wallet_id, signature)
);
CREATE INDEX unread_deposits_next_look_idx ON unread_deposits (next_look);

-- Names of tokens in the pool catalogue, folded for searching. What a mint is called proves nothing: this only finds mints.

CREATE TABLE traded_tokens (
  mint    text PRIMARY KEY,
  symbol  text NOT NULL,
  name    text NOT NULL,
  read_at timestamptz(3) NOT NULL
);

CREATE INDEX traded_tokens_read_at_idx ON traded_tokens (read_at);

-- What the database remembers of each signer's journal: its newest line. A journal that knows fewer lines is an older copy.
CREATE TABLE signer_heads (
  journal_id text PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq > 0),
  hash text NOT NULL,
  at timestamptz(3) NOT NULL
);

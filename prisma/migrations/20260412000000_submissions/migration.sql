-- Transactions that callers of the API signed, followed until their end is proven. The bytes go when it is.
CREATE TABLE submissions (
  signature text PRIMARY KEY,
  transaction bytea,
  fee_payer text NOT NULL,
  account text,
  reference text,
  blockhash text NOT NULL,
  last_valid_block_height bigint,
  slot_floor bigint NOT NULL,
  status text NOT NULL CHECK (status IN
    ('received', 'sent', 'processed', 'confirmed', 'finalized', 'failed', 'expired', 'disputed')),
  version integer NOT NULL,
  sends integer NOT NULL,
  last_sent_at timestamptz(3),
  slot bigint,
  err text,
  death_proof jsonb,
  landing_proof jsonb,
  received_at timestamptz(3) NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  CHECK ((transaction IS NULL) = (status IN ('finalized', 'failed', 'expired')))
);
CREATE INDEX submissions_open_idx ON submissions (received_at)
  WHERE status IN ('received', 'sent', 'processed', 'confirmed', 'disputed');
CREATE INDEX submissions_changed_at_idx ON submissions (changed_at);

-- What retention looks for, so that a round costs what it removes and not what is kept.
CREATE INDEX notices_delivered_idx ON notices (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX attempts_bytes_idx ON attempts (signed_at)
  WHERE status IN ('FINALIZED', 'LANDED_ERR', 'DEAD') AND signed_transaction <> ''::bytea;

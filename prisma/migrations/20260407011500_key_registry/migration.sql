-- Every key-encryption key that ever sealed something here. A key without a row is new to this installation: an operator's command asks
-- for its first digits before it moves a wallet to it. The probe is known bytes under that key, so that a wrong key of the same name shows.
CREATE TABLE key_registry (
  kek_id     text PRIMARY KEY CHECK (kek_id <> ''),
  first_seen timestamptz(3) NOT NULL,
  retired_at timestamptz(3),
  probe      bytea
);
INSERT INTO key_registry (kek_id, first_seen)
  SELECT kek_id, now() FROM (SELECT kek_id FROM wallet_secrets UNION SELECT kek_id FROM sealed_secrets) AS keys WHERE kek_id <> '';

-- Keys of the pro host. `hash` is HMAC-SHA-256 of the whole key under a secret that is not in the database.

CREATE TABLE api_keys (
  id                   text PRIMARY KEY,
  account              text NOT NULL,
  hash                 bytea NOT NULL CHECK (octet_length(hash) = 32),
  scopes               text NOT NULL,
  rate_per_second      integer NOT NULL CHECK (rate_per_second > 0),
  burst                integer NOT NULL CHECK (burst > 0),
  max_referrer_fee_bps integer NOT NULL CHECK (max_referrer_fee_bps BETWEEN 0 AND 10000),
  created_at           timestamptz(3) NOT NULL,
  expires_at           timestamptz(3),
  revoked_at           timestamptz(3)
);

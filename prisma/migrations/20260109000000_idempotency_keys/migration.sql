-- Answers kept for callers that ask again with the same key. While the first request runs, answer is null and expires_at is
-- the end of its lease; afterwards it is the end of the answer's life.

CREATE TABLE idempotency_keys (
  scope        text NOT NULL CHECK (scope ~ '^[0-9a-f]{64}$'),
  key          text NOT NULL CHECK (length(key) BETWEEN 1 AND 64),
  request_hash text NOT NULL CHECK (request_hash ~ '^[0-9a-f]{64}$'),
  owner        text NOT NULL,
  answer       text,
  expires_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (scope, key)
);

CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

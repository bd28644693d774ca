-- Nonces of requests that personal keys signed: a request is taken once, over all processes of the API.
CREATE TABLE personal_key_nonces (
  key_id text NOT NULL REFERENCES personal_keys (id),
  nonce text NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, nonce)
);
CREATE INDEX personal_key_nonces_until_idx ON personal_key_nonces (until);

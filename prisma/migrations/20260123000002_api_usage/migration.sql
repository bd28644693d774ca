-- Requests of API keys by route and day (UTC). Counted in memory and added every few seconds: for people to read, not to bill.

CREATE TABLE api_usage (
  account  text NOT NULL,
  key_id   text NOT NULL,
  route    text NOT NULL,
  day      date NOT NULL,
  requests bigint NOT NULL CHECK (requests > 0),
  PRIMARY KEY (account, day, key_id, route)
);

CREATE INDEX api_usage_day_idx ON api_usage (day);

-- Two devices' first taps at once insert the same miner: the upsert waits on the key it names, and a second unique index would fail
-- one of them instead. The Telegram id is the key; a person has one.
DROP INDEX point_miners_user_id_key;
CREATE INDEX point_miners_user_id_idx ON point_miners (user_id);

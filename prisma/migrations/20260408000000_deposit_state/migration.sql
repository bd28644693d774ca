-- A told deposit is looked at a second time a minute later. Rows of before were told by one look and stand.
ALTER TABLE deposits ADD COLUMN state text NOT NULL DEFAULT 'STANDS';
CREATE INDEX deposits_state_at_idx ON deposits (state, at);

-- The witnesses that have each line of the holder, and the copies that may lack some.
ALTER TABLE signer_lease
  ADD COLUMN witnesses text[] NOT NULL DEFAULT '{}',
  ADD COLUMN behind text[] NOT NULL DEFAULT '{}';

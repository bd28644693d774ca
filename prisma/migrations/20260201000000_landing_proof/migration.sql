-- What endpoints said of the finality of an attempt, kept until they agree. NULL = nobody was asked yet.
ALTER TABLE attempts ADD COLUMN landing_proof jsonb;

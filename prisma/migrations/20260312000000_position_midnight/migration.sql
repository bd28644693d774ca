-- What a position was worth at the last 00:00 UTC, so that the result of a day is told position by position: what was sent away or
-- hidden since is no loss. Only the last day is kept.
ALTER TABLE positions ADD COLUMN midnight date;
ALTER TABLE positions ADD COLUMN midnight_units numeric(40, 0);
ALTER TABLE positions ADD COLUMN midnight_value bigint;
ALTER TABLE positions ADD CHECK ((midnight IS NULL) = (midnight_units IS NULL) AND (midnight IS NULL) = (midnight_value IS NULL));

-- What was last seen of each pool, beside how much of the quote it holds: dollars are told from it.
ALTER TABLE markets ADD COLUMN mid_price numeric, ADD COLUMN looked_at timestamptz(3);

-- How a question about pools was last answered: an empty answer and a refused one are rows as well. Every row of before was
-- written after the program's accounts had been listed.
ALTER TABLE pool_searches ADD COLUMN outcome text NOT NULL DEFAULT 'whole'
  CHECK (outcome IN ('partial', 'whole', 'refused', 'failed'));

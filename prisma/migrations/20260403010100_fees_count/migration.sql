-- Network fees count in the limits of spending: what an intent that landed and moved nothing has paid, and fees of sales at the
-- lowest priority, which no other limit has room for.
ALTER TABLE spending_uses
  ADD COLUMN fee_lamports   bigint NOT NULL DEFAULT 0 CHECK (fee_lamports >= 0),
  ADD COLUMN floor_lamports bigint NOT NULL DEFAULT 0 CHECK (floor_lamports >= 0);

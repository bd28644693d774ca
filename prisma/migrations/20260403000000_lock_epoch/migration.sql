-- Grows with each lock of trades. What a PIN has granted to an order names the epoch that it was granted in, so that no order keeps
-- what was granted before the last lock. Orders of today were granted nothing: their terms name no grant.
ALTER TABLE guards ADD COLUMN lock_epoch integer NOT NULL DEFAULT 0;
ALTER TABLE guards ADD CHECK (lock_epoch >= 0);

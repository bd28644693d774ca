-- What the event of the order came to when it fired: units that the creator had sold, or the liquidity; null where no event was asked for.
ALTER TABLE order_fires ADD COLUMN event_seen numeric(60, 0);
ALTER TABLE order_fires ADD CONSTRAINT order_fires_event_check CHECK (event_seen >= 0);

-- When the present PIN was set or changed: a new one ripens for a day before it lets out what a thief would take.
-- The ages of addresses count from the same moment since there are PINs. A PIN without it has an age that no row proves, so it
-- begins to ripen now.
ALTER TABLE guards ADD COLUMN pin_set_at timestamptz(3);
UPDATE guards SET pin_set_at = coalesce(delay_from, now()) WHERE pin_hash IS NOT NULL;

-- One open group per wallet and token takes the exits of a position. An order that joins it keeps the key that it was placed with.
-- Of rows of before, only the newest group of a position is marked: older ones end with the position as ever.
ALTER TABLE order_groups ADD COLUMN open boolean NOT NULL DEFAULT false;
ALTER TABLE orders ADD COLUMN place_key text;

UPDATE order_groups SET open = true WHERE id IN (
  SELECT DISTINCT ON (wallet_id, mint) id FROM order_groups g
  WHERE units IS NULL AND parent_intent_id IS NULL
    AND EXISTS (SELECT FROM orders o WHERE o.group_id = g.id AND o.status NOT IN ('FILLED', 'CANCELLED', 'EXPIRED'))
  ORDER BY wallet_id, mint, created_at DESC, id DESC);

CREATE UNIQUE INDEX order_groups_open_position_key ON order_groups (wallet_id, mint) WHERE open;
CREATE INDEX orders_place_key_idx ON orders (place_key) WHERE place_key IS NOT NULL;

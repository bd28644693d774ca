-- Two exits wait for an event in the place of a price: sales of the token's creator, and a fall of its liquidity.
ALTER TABLE "orders" DROP CONSTRAINT "orders_type";
ALTER TABLE "orders" ADD CONSTRAINT "orders_type" CHECK (type IN
  ('LIMIT', 'TAKE_PROFIT', 'STOP_LOSS', 'TRAILING_STOP', 'STOP_BUY', 'DCA', 'DEV_SELLS', 'LIQUIDITY_FALLS'));
-- An event is measured from a state of its own, and sells.
ALTER TABLE "orders" ADD CONSTRAINT "orders_event" CHECK
  ((type IN ('DEV_SELLS', 'LIQUIDITY_FALLS')) = (terms ? 'event') AND (side = 'sell' OR NOT terms ? 'event'));

-- What a person typed for the price of an order is called request, here as in the code.
UPDATE "orders" SET "terms" = ("terms" - 'wish') || jsonb_build_object('request', "terms" -> 'wish') WHERE "terms" ? 'wish';

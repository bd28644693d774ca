-- Where accounts of the API want to be told of their transactions, and what each is to be told. No secret is stored: it is worked out
-- from the service's own and the generation.
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  account text NOT NULL,
  slot integer NOT NULL CHECK (slot BETWEEN 1 AND 10),
  email text,
  url text NOT NULL,
  events text NOT NULL,
  generation integer NOT NULL,
  rotated_at timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_for text CHECK (disabled_for IN ('failing', 'gone')),
  told_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  UNIQUE (account, slot),
  CHECK ((disabled_at IS NULL) = (disabled_for IS NULL))
);
CREATE INDEX webhooks_untold_idx ON webhooks (disabled_at) WHERE disabled_at IS NOT NULL AND told_at IS NULL;

CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL REFERENCES webhooks (id),
  event_id text NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL,
  due_at timestamptz(3) NOT NULL,
  answer integer,
  error text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, due_at) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);

-- Orders: what a person wants bought or sold when a price or a time comes. The evaluator's memory is a hint; these rows decide.
CREATE TABLE "order_groups" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "units" DECIMAL(20,0),
    "sold" DECIMAL(20,0) NOT NULL DEFAULT 0,
    "parent_intent_id" TEXT,
    "place_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "order_groups_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "order_groups_units" CHECK (units >= 0 AND sold >= 0),
    CONSTRAINT "order_groups_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id"),
    CONSTRAINT "order_groups_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id")
);
CREATE UNIQUE INDEX "order_groups_place_key_key" ON "order_groups"("place_key");
CREATE UNIQUE INDEX "order_groups_parent_intent_id_key" ON "order_groups"("parent_intent_id");
CREATE INDEX "order_groups_user_id_created_at_idx" ON "order_groups"("user_id", "created_at");
CREATE INDEX "order_groups_wallet_id_idx" ON "order_groups"("wallet_id");

CREATE TABLE "orders" (
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "group_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "wallet_id" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "version" INTEGER NOT NULL,
    -- When it was written, in microseconds of the server's clock. No sequence: a restored dump would begin a new one.
    "seq" BIGINT NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
    "shard" INTEGER NOT NULL,
    -- Units of its own, hundredths of a percent of the group's, or all that other legs leave: at most one of the two stands.
    "amount" DECIMAL(20,0),
    "share_bps" INTEGER,
    "filled" DECIMAL(20,0) NOT NULL,
    "received" DECIMAL(20,0) NOT NULL,
    "unit" TEXT NOT NULL,
    "trigger_got" DECIMAL(60,0),
    "trigger_given" DECIMAL(60,0),
    "hold_slots" INTEGER NOT NULL,
    "partial" BOOLEAN NOT NULL,
    "fires" INTEGER NOT NULL,
    "burnt_lamports" BIGINT NOT NULL,
    "not_before_slot" BIGINT,
    "afterwards" TEXT,
    "terms" JSONB NOT NULL,
    "progress" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "orders_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "orders_side" CHECK (side IN ('buy', 'sell')),
    CONSTRAINT "orders_type" CHECK (type IN ('LIMIT', 'TAKE_PROFIT', 'STOP_LOSS', 'TRAILING_STOP', 'STOP_BUY', 'DCA')),
    CONSTRAINT "orders_status" CHECK (status IN ('WAITING', 'OPEN', 'TRIGGERED', 'PAUSED', 'FILLED', 'CANCELLED', 'EXPIRED')),
    CONSTRAINT "orders_amount" CHECK (num_nonnulls(amount, share_bps) <= 1),
    CONSTRAINT "orders_trigger" CHECK (num_nonnulls(trigger_got, trigger_given) IN (0, 2) AND (trigger_given IS NULL OR trigger_given > 0)),
    CONSTRAINT "orders_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "order_groups"("id")
);
CREATE UNIQUE INDEX "orders_user_id_number_key" ON "orders"("user_id", "number");
CREATE INDEX "orders_group_id_idx" ON "orders"("group_id");
CREATE INDEX "orders_user_id_status_idx" ON "orders"("user_id", "status");
CREATE INDEX "orders_seq_idx" ON "orders"("seq");
CREATE INDEX "orders_open_idx" ON "orders"("shard") WHERE status = 'OPEN';
CREATE INDEX "orders_expiring_idx" ON "orders"("expires_at") WHERE status IN ('OPEN', 'PAUSED', 'WAITING');

CREATE TABLE "order_fires" (
    "order_id" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "group_id" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "units" DECIMAL(20,0) NOT NULL,
    "slot" BIGINT NOT NULL,
    "quoted" DECIMAL(20,0) NOT NULL,
    "fired_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "result" TEXT,
    "given" DECIMAL(20,0) NOT NULL DEFAULT 0,
    "got" DECIMAL(20,0) NOT NULL DEFAULT 0,
    "burnt_lamports" BIGINT NOT NULL DEFAULT 0,
    "reason" TEXT,
    CONSTRAINT "order_fires_pkey" PRIMARY KEY ("order_id", "n"),
    CONSTRAINT "order_fires_units" CHECK (units > 0),
    CONSTRAINT "order_fires_end" CHECK ((ended_at IS NULL) = (result IS NULL) AND (result IS NULL OR result IN ('settled', 'voided'))),
    CONSTRAINT "order_fires_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id"),
    CONSTRAINT "order_fires_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "order_groups"("id")
);
CREATE UNIQUE INDEX "order_fires_intent_id_key" ON "order_fires"("intent_id");
CREATE INDEX "order_fires_live_idx" ON "order_fires"("group_id") WHERE ended_at IS NULL;
-- One live fire of an order at a time, whoever writes.
CREATE UNIQUE INDEX "order_fires_live_key" ON "order_fires"("order_id") WHERE ended_at IS NULL;

-- Two legs must never sell the same units, whatever a process believes: the group's row is locked, and the sum is the database's.
CREATE FUNCTION order_fire_fits() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  given DECIMAL(20,0);
  gone DECIMAL(20,0);
  bound DECIMAL;
BEGIN
  SELECT units, sold INTO given, gone FROM order_groups WHERE id = NEW.group_id FOR NO KEY UPDATE;
  IF given IS NULL THEN RETURN NEW; END IF;
  SELECT coalesce(sum(units), 0) INTO bound FROM order_fires WHERE group_id = NEW.group_id AND ended_at IS NULL;
  IF bound + gone > given THEN
    RAISE EXCEPTION 'live fires of group % bind % of % units', NEW.group_id, bound + gone, given USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "order_fires_fit" AFTER INSERT ON "order_fires" FOR EACH ROW EXECUTE FUNCTION order_fire_fits();

-- The highs that trailing stops follow, so that a restart forgets two seconds of a high at most.
CREATE TABLE "trail_peaks" (
    "mint" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "rate_got" DECIMAL(60,0) NOT NULL,
    "rate_given" DECIMAL(60,0) NOT NULL,
    CONSTRAINT "trail_peaks_pkey" PRIMARY KEY ("mint", "lane", "at")
);

CREATE TABLE "order_marks" (
    "mint" TEXT NOT NULL,
    "slot" BIGINT NOT NULL,
    "price_got" DECIMAL(60,0),
    "price_given" DECIMAL(60,0),
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "order_marks_pkey" PRIMARY KEY ("mint")
);

CREATE TABLE "shard_leases" (
    "shard" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "epoch" BIGINT NOT NULL,
    CONSTRAINT "shard_leases_pkey" PRIMARY KEY ("shard")
);

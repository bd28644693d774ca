-- Price alerts: a person is told once when a price is crossed. The evaluator's memory is a hint; these rows decide.
CREATE TABLE "alerts" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "mint" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "price_got" DECIMAL(60,0) NOT NULL,
    "price_given" DECIMAL(60,0) NOT NULL,
    "direction" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "repeats" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "armed" BOOLEAN NOT NULL,
    "told" INTEGER NOT NULL,
    "rests_until" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "place_key" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alerts_unit" CHECK (unit IN ('SOL', 'USD')),
    CONSTRAINT "alerts_direction" CHECK (direction IN ('above', 'below')),
    CONSTRAINT "alerts_status" CHECK (status IN ('OPEN', 'TOLD', 'REMOVED', 'EXPIRED')),
    CONSTRAINT "alerts_price" CHECK (price_got > 0 AND price_given > 0),
    CONSTRAINT "alerts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id")
);
CREATE UNIQUE INDEX "alerts_place_key_key" ON "alerts"("place_key");
CREATE INDEX "alerts_user_id_status_idx" ON "alerts"("user_id", "status");
CREATE INDEX "alerts_open_idx" ON "alerts"("expires_at") WHERE status = 'OPEN';

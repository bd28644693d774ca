-- Who indexes at the moment: which markets are whose follows from the names alone.
CREATE TABLE "indexers" (
    "owner" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "indexers_pkey" PRIMARY KEY ("owner")
);

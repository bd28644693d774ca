-- The signer's signature over a person's guard, and the moment of it: an older one counts no more. Guards of before get theirs from `ops trust adopt`.
ALTER TABLE "guards" ADD COLUMN "version" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "certificate" TEXT,
  -- A freeze that was written while the signer could not be asked.
  ADD COLUMN "halted_at" TIMESTAMPTZ(3);

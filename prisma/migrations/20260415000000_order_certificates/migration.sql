-- The signer's signature over what a person agreed to. Orders of before get theirs from `ops trust adopt`.
ALTER TABLE "orders" ADD COLUMN "certificate" TEXT;

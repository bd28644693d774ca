-- The signer's signature over an address of the book and the moment it was added. Addresses of before get theirs from `ops trust adopt`.
ALTER TABLE "address_book" ADD COLUMN "certificate" TEXT;

-- The signer's signatures over the moments from which a wallet receives. Moments of before get theirs from `ops trust adopt`.
ALTER TABLE "wallets" ADD COLUMN "confirmed_certificate" TEXT, ADD COLUMN "payout_certificate" TEXT;

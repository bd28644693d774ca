-- The signer certifies who a person is and whose a wallet is. Rows of before have no certificate until "ops trust adopt" gave them one.
ALTER TABLE users ADD COLUMN certificate text;
ALTER TABLE wallets ADD COLUMN certificate text;

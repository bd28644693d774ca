-- Acts of who reads the mail of an account of the API are limited, too. They have no person: their address takes the place.
ALTER TABLE act_uses ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE act_uses ADD COLUMN account text;
ALTER TABLE act_uses ADD CONSTRAINT act_uses_one_owner CHECK ((user_id IS NULL) <> (account IS NULL));
CREATE INDEX act_uses_account_rate_at_idx ON act_uses (account, rate, at);

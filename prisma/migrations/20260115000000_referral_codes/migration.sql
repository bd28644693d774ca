-- Codes that people gave up. They stay theirs: a link that is still about must never lead to somebody else.
CREATE TABLE retired_referral_codes (
  code text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id),
  retired_at timestamptz(3) NOT NULL
);
CREATE INDEX retired_referral_codes_user_id_idx ON retired_referral_codes (user_id);

-- How often somebody chose their own code: vouchers of the shop are counted against it.
ALTER TABLE referral_accounts ADD COLUMN codes_chosen integer NOT NULL DEFAULT 0 CHECK (codes_chosen >= 0);

-- The tag of the link that an invitee came through, written with the row of the person or never.
CREATE TABLE campaign_arrivals (
  invitee_id text PRIMARY KEY REFERENCES users (id),
  inviter_id text NOT NULL REFERENCES users (id),
  tag text NOT NULL CHECK (tag ~ '^[A-Z0-9-]{1,16}$'),
  CHECK (invitee_id <> inviter_id)
);
CREATE INDEX campaign_arrivals_inviter_id_tag_idx ON campaign_arrivals (inviter_id, tag);

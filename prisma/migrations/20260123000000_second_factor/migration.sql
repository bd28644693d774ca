-- An authenticator beside the PIN: its sealed secret, the newest code that was used, and one that waits to be confirmed.

ALTER TABLE guards
  ADD COLUMN totp_box        text,
  ADD COLUMN totp_step       integer CHECK (totp_step >= 0),
  ADD COLUMN totp_ends_at    timestamptz(3),
  ADD COLUMN next_totp_box   text,
  ADD COLUMN next_totp_link  text,
  ADD COLUMN next_totp_until timestamptz(3);
CREATE UNIQUE INDEX guards_next_totp_link_key ON guards (next_totp_link);

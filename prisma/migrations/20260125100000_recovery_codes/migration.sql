-- Recovery codes of the authenticator: digests of those that are left, and of those that were shown and not confirmed yet.

ALTER TABLE guards
  ADD COLUMN recovery_codes      text[] NOT NULL DEFAULT '{}',
  ADD COLUMN next_recovery_codes text[] NOT NULL DEFAULT '{}';

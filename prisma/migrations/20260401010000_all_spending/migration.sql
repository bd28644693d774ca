-- All spending is counted, not only what a chat spends without its PIN: of all, and of doubted tokens.
ALTER TABLE spending_uses ADD COLUMN all_lamports bigint;
ALTER TABLE spending_uses ADD COLUMN doubted_lamports bigint NOT NULL DEFAULT 0;
ALTER TABLE spending_uses DROP CONSTRAINT IF EXISTS spending_uses_lamports_check;
ALTER TABLE spending_uses ADD CONSTRAINT spending_uses_lamports_check
  CHECK (lamports >= 0 AND doubted_lamports >= 0 AND coalesce(all_lamports, lamports) >= lamports);

-- When the PIN was last right: what is spent without it since then has a limit of its own.
ALTER TABLE guards ADD COLUMN pin_right_at timestamptz(3);

-- How far a wallet's signatures are known to be ours, and what it held then: the nightly audit walks only what changed.
CREATE TABLE audit_cursors (
  wallet_id  text PRIMARY KEY REFERENCES wallets (id),
  -- Everything up to this signature has its attempt; null = the wallet never appeared in a transaction.
  signature  text,
  -- Lamports at the finalized slot of the look.
  lamports   numeric(20, 0) NOT NULL CHECK (lamports >= 0),
  audited_at timestamptz(3) NOT NULL
);

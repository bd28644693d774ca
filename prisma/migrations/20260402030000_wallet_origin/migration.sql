-- Where the key of a wallet came from. The key of an imported one is also with whoever gave it, so money goes there only after its
-- person confirmed it. A row without a value counts as imported: that takes nothing, and is told with a way to confirm.
ALTER TABLE wallets ADD COLUMN origin text NOT NULL DEFAULT 'imported' CHECK (origin IN ('made', 'imported'));
-- From then on an imported wallet receives; a moment ahead is a wait that can be stopped.
ALTER TABLE wallets ADD COLUMN confirmed_at timestamptz(3);
-- From then on payouts go there, until a later choice counts.
ALTER TABLE wallets ADD COLUMN payout_from timestamptz(3);

-- The treasury is made by the first start.
UPDATE wallets SET origin = 'made' WHERE user_id IS NULL;
-- The trail names the wallet and its address of every making and every import since it exists.
UPDATE wallets SET origin = 'made' FROM audit_log
WHERE audit_log.act = 'wallet-created' AND audit_log.outcome = 'done' AND audit_log.subject = wallets.user_id
  AND audit_log.details ->> 'walletId' = wallets.id AND audit_log.details ->> 'address' = wallets.address;
UPDATE wallets SET origin = 'imported' FROM audit_log
WHERE audit_log.act = 'wallet-imported' AND audit_log.outcome = 'done'
  AND audit_log.details ->> 'walletId' = wallets.id AND audit_log.details ->> 'address' = wallets.address;
-- Older than the trail: imports came with the withdrawal guard, so a wallet from before its migration ran here was made here.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    UPDATE wallets SET origin = 'made' FROM _prisma_migrations done
    WHERE done.migration_name = '20260103000000_withdrawal_guard' AND done.finished_at IS NOT NULL
      AND wallets.created_at < done.finished_at
      AND NOT EXISTS (SELECT 1 FROM audit_log WHERE act = 'wallet-imported' AND details ->> 'walletId' = wallets.id);
  END IF;
END $$;

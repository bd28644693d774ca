-- Postings in one round trip: while an account is locked, nothing waits for the network. The tables' constraints, triggers and
-- privileges judge the rows as before: the function runs with the caller's rights and may do nothing the caller may not.

-- Applies transfers whose key is new, with their entries, and moves the balances of the people concerned. Returns the keys
-- that were applied; a key that is known is left alone with everything that hangs on it.
--   transfers: [{"id", "key", "reason", "ref", "currency", "created_at"}]
--   entries:   [{"transfer_id", "n", "account_key", "kind", "owner", "amount"}]; owner is null for the house.
-- Lock order: people's accounts by key, then transfers, then entries. An entry refers to its account, so inserting it first
-- would hold a share lock that two transfers then wait for crosswise.
CREATE FUNCTION ledger_post(transfers jsonb, entries jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  people  text[];
  locked  integer;
  applied text[];
BEGIN
  SELECT array_agg(DISTINCT entry.account_key) INTO people
  FROM jsonb_to_recordset(entries) AS entry (account_key text, owner text) WHERE entry.owner IS NOT NULL;
  IF people IS NOT NULL THEN
    PERFORM FROM ledger_accounts WHERE key = ANY (people) ORDER BY key FOR NO KEY UPDATE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    IF locked < cardinality(people) THEN
      INSERT INTO ledger_accounts (key, kind, owner, balance)
      SELECT DISTINCT entry.account_key, entry.kind, entry.owner, 0
      FROM jsonb_to_recordset(entries) AS entry (account_key text, kind text, owner text)
      WHERE entry.owner IS NOT NULL ORDER BY entry.account_key
      ON CONFLICT (key) DO NOTHING;
      PERFORM FROM ledger_accounts WHERE key = ANY (people) ORDER BY key FOR NO KEY UPDATE;
    END IF;
  END IF;

  WITH inserted AS (
    INSERT INTO ledger_transfers (id, key, reason, ref, currency, created_at)
    SELECT id, key, reason, ref, currency, created_at FROM jsonb_to_recordset(transfers)
      AS transfer (id text, key text, reason text, ref text, currency text, created_at timestamptz)
    ORDER BY key ON CONFLICT (key) DO NOTHING RETURNING id, key
  ), entry AS (
    SELECT entry.* FROM inserted JOIN jsonb_to_recordset(entries)
      AS entry (transfer_id text, n integer, account_key text, owner text, amount bigint) ON entry.transfer_id = inserted.id
  ), written AS (
    INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
    SELECT transfer_id, n, account_key, amount FROM entry
  ), moved AS (
    UPDATE ledger_accounts AS account SET balance = account.balance + change.amount
    FROM (SELECT account_key, sum(amount)::bigint AS amount FROM entry WHERE owner IS NOT NULL GROUP BY account_key) AS change
    WHERE account.key = change.account_key
  )
  SELECT coalesce(array_agg(inserted.key), '{}') INTO applied FROM inserted;
  RETURN applied;
END $$;

-- A year's indexes at two thirds of their size. Long texts that are only asked for as a whole and must stand once are hashed: the
-- constraint compares the texts themselves, so that two with one hash both stand.
ALTER TABLE ledger_transfers ADD CONSTRAINT ledger_transfers_key_once EXCLUDE USING hash (key WITH =);
DROP INDEX ledger_transfers_key_key;
DROP INDEX attempts_signature_key;
ALTER TABLE attempts ADD CONSTRAINT attempts_signature_key EXCLUDE USING hash (signature WITH =);

-- A person's balance is kept, and the history of points has an index of its own: nobody asks for the entries of another account, but
-- the audit, which reads all of them.
DROP INDEX ledger_entries_account_key_idx;

-- Within a slot a wallet has few events: they are sorted when they are read.
DROP INDEX position_events_wallet_id_slot_signature_idx;
CREATE INDEX position_events_wallet_id_slot_idx ON position_events (wallet_id, slot);

-- As before; what stands already is told by the new constraint.
CREATE OR REPLACE FUNCTION ledger_post(transfers jsonb, entries jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  people  text[];
  locked  integer;
  applied text[];
BEGIN
  PERFORM points_book(spender.owner) FROM (
    SELECT DISTINCT entry.owner FROM jsonb_to_recordset(entries) AS entry (kind text, owner text, amount bigint)
    WHERE entry.kind = 'points' AND entry.amount < 0 ORDER BY entry.owner) AS spender;

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
    ORDER BY key ON CONFLICT ON CONSTRAINT ledger_transfers_key_once DO NOTHING RETURNING id, key, reason, created_at
  ), entry AS (
    SELECT entry.*, inserted.reason, inserted.created_at FROM inserted JOIN jsonb_to_recordset(entries)
      AS entry (transfer_id text, n integer, account_key text, kind text, owner text, amount bigint)
      ON entry.transfer_id = inserted.id
  ), written AS (
    INSERT INTO ledger_entries (transfer_id, n, account_key, amount)
    SELECT transfer_id, n, account_key, amount FROM entry
  ), moved AS (
    UPDATE ledger_accounts AS account SET balance = account.balance + change.amount
    FROM (SELECT account_key, sum(amount)::bigint AS amount FROM entry WHERE owner IS NOT NULL GROUP BY account_key) AS change
    WHERE account.key = change.account_key
  ), counted AS (
    INSERT INTO point_days AS known (user_id, day, earned, mined, trade_points, trades)
    SELECT owner, (created_at AT TIME ZONE 'UTC')::date, sum(amount),
      coalesce(sum(amount) FILTER (WHERE reason = 'points-mine'), 0),
      coalesce(sum(amount) FILTER (WHERE reason = 'points-trade'), 0),
      count(*) FILTER (WHERE reason = 'points-trade')
    FROM entry WHERE kind = 'points' AND reason IN ('points-mine', 'points-trade', 'points-token', 'points-mission')
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (user_id, day) DO UPDATE SET earned = known.earned + excluded.earned, mined = known.mined + excluded.mined,
      trade_points = known.trade_points + excluded.trade_points, trades = known.trades + excluded.trades
  )
  SELECT coalesce(array_agg(inserted.key), '{}') INTO applied FROM inserted;
  RETURN applied;
END $$;

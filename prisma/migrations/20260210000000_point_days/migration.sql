-- What a day gave a person, kept as it happens: the weekly board was a scan of the whole ledger at each look, and each tap of
-- mining cost a transfer and two entries for ever.

-- Points earned by a person on one UTC day, by what they were earned with. Moved by `ledger_post` alone.
CREATE TABLE point_days (
  user_id      text NOT NULL,
  day          date NOT NULL,
  earned       bigint NOT NULL DEFAULT 0,
  mined        bigint NOT NULL DEFAULT 0,
  trade_points bigint NOT NULL DEFAULT 0,
  trades       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day)
);
CREATE INDEX point_days_day_idx ON point_days (day);

INSERT INTO point_days (user_id, day, earned, mined, trade_points, trades)
SELECT substr(entry.account_key, 8), (transfer.created_at AT TIME ZONE 'UTC')::date, sum(entry.amount),
  coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-mine'), 0),
  coalesce(sum(entry.amount) FILTER (WHERE transfer.reason = 'points-trade'), 0),
  count(*) FILTER (WHERE transfer.reason = 'points-trade')
FROM ledger_transfers AS transfer JOIN ledger_entries AS entry ON entry.transfer_id = transfer.id
WHERE transfer.currency = 'POINT' AND entry.account_key LIKE 'points/%'
  AND transfer.reason IN ('points-mine', 'points-trade', 'points-token', 'points-mission')
GROUP BY 1, 2;

-- Mined and not yet booked: the taps of one person and day until they become one transfer. They count wherever points are
-- read, and are booked before anything is spent.
CREATE TABLE unbooked_points (
  user_id      text PRIMARY KEY REFERENCES users (id),
  transfer_id  text NOT NULL,
  transfer_key text NOT NULL,
  ref          text NOT NULL,
  points       bigint NOT NULL CHECK (points > 0),
  since        timestamptz(3) NOT NULL,
  last_at      timestamptz(3) NOT NULL
);

-- As before, and two things more: what a person spends is booked first, and what they earn is added to their day.
-- Lock order: a person's account, then what is unbooked, then accounts by key, transfers, entries.
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
    ORDER BY key ON CONFLICT (key) DO NOTHING RETURNING id, key, reason, created_at
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

-- Makes one transfer of what a person mined and is not booked yet; nothing when there is none. The account is locked first, as
-- by whoever spends, so that two bookings of one person follow each other.
CREATE FUNCTION points_book(who text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  taken unbooked_points;
BEGIN
  PERFORM FROM ledger_accounts WHERE key = 'points/' || who FOR NO KEY UPDATE;
  DELETE FROM unbooked_points WHERE user_id = who RETURNING * INTO taken;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM ledger_post(
    jsonb_build_array(jsonb_build_object('id', taken.transfer_id, 'key', taken.transfer_key, 'reason', 'points-mine',
      'ref', taken.ref, 'currency', 'POINT', 'created_at', taken.last_at)),
    jsonb_build_array(
      jsonb_build_object('transfer_id', taken.transfer_id, 'n', 1, 'account_key', 'house/points-issued',
        'kind', 'points-issued', 'owner', NULL, 'amount', -taken.points),
      jsonb_build_object('transfer_id', taken.transfer_id, 'n', 2, 'account_key', 'points/' || who, 'kind', 'points',
        'owner', who, 'amount', taken.points)));
END $$;

-- Adds what a tap gave to what is unbooked, and says how much that is. Another day's, and what waits for ten minutes, is booked first.
CREATE FUNCTION points_mined(who text, tap jsonb, gained bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  unbooked bigint;
  at timestamptz(3) := (tap ->> 'created_at')::timestamptz(3);
BEGIN
  IF EXISTS (SELECT FROM unbooked_points WHERE user_id = who
      AND (ref <> tap ->> 'ref' OR since < at - interval '10 minutes')) THEN
    PERFORM points_book(who);
  END IF;
  INSERT INTO unbooked_points AS known (user_id, transfer_id, transfer_key, ref, points, since, last_at)
  VALUES (who, tap ->> 'id', tap ->> 'key', tap ->> 'ref', gained, at, at)
  ON CONFLICT (user_id) DO UPDATE SET points = known.points + excluded.points, last_at = greatest(known.last_at, excluded.last_at)
  RETURNING points INTO unbooked;
  RETURN unbooked;
END $$;

-- A lease also ends when its end lies further ahead than a lease lasts: then the clock was set back, and nothing may wait for as long as that.

CREATE OR REPLACE FUNCTION lease_intent(wanted text, leaser text, at timestamptz, ends timestamptz)
RETURNS TABLE (intent intents, wallet wallets, attempt attempts) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE intents SET lease_owner = leaser, lease_until = ends, lease_epoch = lease_epoch + 1
  WHERE id = wanted AND status IN ('CREATED', 'ACTIVE')
    -- Ten seconds, and a minute by which two machines may differ.
    AND (lease_until IS NULL OR lease_until <= at OR lease_until > at + interval '70 seconds')
    AND NOT EXISTS (SELECT 1 FROM system_flags WHERE flag = 'quarantined' AND is_on);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT i, w, a FROM intents i JOIN wallets w ON w.id = i.wallet_id
    LEFT JOIN attempts a ON a.intent_id = i.id WHERE i.id = wanted;
END $$;

-- Who watches sent attempts. Unlogged, because each row lives for seconds: after a crash the watchers say again who they are.

CREATE UNLOGGED TABLE watchers (
  owner text PRIMARY KEY,
  until timestamptz(3) NOT NULL
);

-- Takes the lease of an intent and hands over what a step needs. A function, because each of its statements sees what was
-- committed before that statement: read in the UPDATE's own, the attempts would be those from before it waited for the row's
-- last holder. Nothing is leased while the database is quarantined.
CREATE FUNCTION lease_intent(wanted text, leaser text, at timestamptz, ends timestamptz)
RETURNS TABLE (intent intents, wallet wallets, attempt attempts) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE intents SET lease_owner = leaser, lease_until = ends, lease_epoch = lease_epoch + 1
  WHERE id = wanted AND status IN ('CREATED', 'ACTIVE') AND (lease_until IS NULL OR lease_until <= at)
    AND NOT EXISTS (SELECT 1 FROM system_flags WHERE flag = 'quarantined' AND is_on);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT i, w, a FROM intents i JOIN wallets w ON w.id = i.wallet_id
    LEFT JOIN attempts a ON a.intent_id = i.id WHERE i.id = wanted;
END $$;

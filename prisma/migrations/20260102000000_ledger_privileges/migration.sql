-- Append-only by privilege too: even the owner of the tables must first grant itself the right, which leaves a trace in a
-- statement log. Nobody refers to an entry, so that no foreign key needs the right to lock one. (Transfers keep their
-- trigger alone: the key check of their entries locks them, for which Postgres asks the right to update.)
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entries FROM PUBLIC;
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entries FROM CURRENT_USER;

CREATE FUNCTION ledger_transfer_has_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM ledger_entries WHERE transfer_id = NEW.id) < 2 THEN
    RAISE EXCEPTION 'ledger: transfer % has fewer than two entries', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfer_has_entries';
  END IF;
  RETURN NULL;
END $$;
-- A transfer without entries would use up its key: what it should have booked could never be booked again.
CREATE CONSTRAINT TRIGGER ledger_transfer_has_entries AFTER INSERT ON ledger_transfers
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_has_entries();

-- When this database stopped being the whole truth: it was restored, or the chain knows transactions that it does not.
CREATE TABLE quarantines (
  id         text PRIMARY KEY,
  reason     text NOT NULL,
  -- Everything the service signed after this moment may be missing here.
  data_as_of timestamptz(3) NOT NULL,
  entered_at timestamptz(3) NOT NULL,
  lifted_at  timestamptz(3),
  report     jsonb
);
CREATE UNIQUE INDEX quarantines_one_open_key ON quarantines ((true)) WHERE lifted_at IS NULL;

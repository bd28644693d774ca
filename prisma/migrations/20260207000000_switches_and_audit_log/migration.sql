-- Why something is paused, and when that ends by itself; the moment passes by the clock of this server, the same for every process.
ALTER TABLE system_flags ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE system_flags ADD COLUMN until_at timestamptz(3);

-- The trail of sensitive acts. A row names the hash of the one before it, so that whoever changes, removes or slips in a row has to
-- make every later one anew; `ops audit` recomputes them.
CREATE TABLE audit_log (
  id      bigint PRIMARY KEY,
  at      timestamptz(3) NOT NULL,
  actor   text NOT NULL,
  act     text NOT NULL,
  -- The person whom it is about; they read it under Security.
  subject text,
  outcome text NOT NULL,
  details jsonb NOT NULL,
  prev    text NOT NULL,
  hash    text NOT NULL
);
CREATE INDEX audit_log_subject_idx ON audit_log (subject, id);
CREATE INDEX audit_log_act_idx ON audit_log (act, id);

-- What the hash is made of: the row as JSON, which no two rows share.
CREATE FUNCTION audit_log_text(entry audit_log) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(entry.id, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), entry.actor,
    entry.act, entry.subject, entry.outcome, entry.details, entry.prev)::text
$$;

-- Numbers and chains a new row. The lock is held from here to the commit, so the numbers are in the order of the commits and without
-- gaps; whoever records an act does it last in its transaction. A restored dump brings its rows' own hashes.
CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former audit_log;
BEGIN
  IF NEW.hash IS NOT NULL THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock(7046030);
  SELECT * INTO former FROM audit_log ORDER BY id DESC LIMIT 1;
  NEW.id := coalesce(former.id, 0) + 1;
  NEW.prev := coalesce(former.hash, repeat('0', 64));
  NEW.hash := encode(sha256(convert_to(audit_log_text(NEW), 'UTF8')), 'hex');
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

-- Append-only, as the ledger's entries: by a trigger, and by privilege.
CREATE FUNCTION audit_log_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit log: acts are never changed or removed'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_log_append_only';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_stands();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stands();
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM PUBLIC;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER;

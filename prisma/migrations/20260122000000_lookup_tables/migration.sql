-- Address lookup tables of the operator, with what was meant to stand at each index before it was written to the chain.

CREATE TABLE lookup_tables (
  address    text PRIMARY KEY,
  authority  text NOT NULL,
  entries    text[] NOT NULL CHECK (cardinality(entries) <= 256),
  created_at timestamptz(3) NOT NULL,
  closing_at timestamptz(3)
);

-- A signature is judged by these entries: what an index means never changes, it can only be added to.
CREATE FUNCTION lookup_tables_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.address <> OLD.address OR NEW.authority <> OLD.authority
     OR NEW.entries[1:cardinality(OLD.entries)] IS DISTINCT FROM OLD.entries
     OR (OLD.closing_at IS NOT NULL AND NEW.closing_at IS NULL) THEN
    RAISE EXCEPTION 'the entries of a lookup table can only be added to' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER lookup_tables_append_only BEFORE UPDATE ON lookup_tables
  FOR EACH ROW EXECUTE FUNCTION lookup_tables_append_only();

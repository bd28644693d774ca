-- Closed lists of small tables become enums; the values stay. An index, a constraint or a trigger that compares the column with
-- text is made anew. Tables of the money path keep text and a check: see decision 0128.
CREATE TYPE key_request_status AS ENUM ('unconfirmed', 'confirmed', 'granted', 'claimed', 'refused', 'bounced');
DROP INDEX api_key_requests_open_idx;
ALTER TABLE api_key_requests DROP CONSTRAINT api_key_requests_status_check,
  ALTER COLUMN status TYPE key_request_status USING status::key_request_status;
CREATE UNIQUE INDEX api_key_requests_open_idx ON api_key_requests (email) WHERE status IN ('unconfirmed', 'confirmed');

CREATE TYPE mail_status AS ENUM ('waiting', 'sent', 'bounced', 'failed');
DROP INDEX mails_due_idx;
ALTER TABLE mails DROP CONSTRAINT mails_status_check, ALTER COLUMN status TYPE mail_status USING status::mail_status;
CREATE INDEX mails_due_idx ON mails (due_at) WHERE status = 'waiting';

CREATE TYPE convert_status AS ENUM ('ANNOUNCED', 'SETTLING', 'SETTLED', 'CANCELLED');
DROP TRIGGER convert_periods_stand ON convert_periods;
ALTER TABLE convert_periods DROP CONSTRAINT convert_periods_do_not_overlap, DROP CONSTRAINT convert_periods_status_check,
  ALTER COLUMN status TYPE convert_status USING status::convert_status;
ALTER TABLE convert_periods ADD CONSTRAINT convert_periods_do_not_overlap
  EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&) WHERE (status <> 'CANCELLED');
CREATE TRIGGER convert_periods_stand BEFORE UPDATE ON convert_periods
  FOR EACH ROW WHEN ((NEW.number, NEW.budget_lamports, NEW.opens_at, NEW.closes_at)
      IS DISTINCT FROM (OLD.number, OLD.budget_lamports, OLD.opens_at, OLD.closes_at)
    OR OLD.total_points IS NOT NULL AND NEW.total_points IS DISTINCT FROM OLD.total_points
    OR OLD.status IN ('SETTLED', 'CANCELLED'))
  EXECUTE FUNCTION convert_periods_stand();

CREATE TYPE creation_way AS ENUM ('native', 'metaplex', 'none');
ALTER TABLE created_tokens DROP CONSTRAINT created_tokens_way_check,
  ALTER COLUMN way TYPE creation_way USING way::creation_way;

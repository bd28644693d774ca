-- Keys of the pro host by form, review and mail. No secret stands in any of these tables: links are kept as hashes, mails are
-- written when they are sent.

CREATE TABLE api_key_requests (
  id           text PRIMARY KEY,
  email        text NOT NULL CHECK (length(email) <= 254),
  project      text NOT NULL,
  intended_use text NOT NULL,
  per_day      integer NOT NULL CHECK (per_day > 0),
  peak         integer NOT NULL CHECK (peak > 0),
  scopes       text NOT NULL,
  status       text NOT NULL CHECK (status IN ('unconfirmed', 'confirmed', 'granted', 'claimed', 'refused', 'bounced')),
  created_at   timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  decided_at   timestamptz(3),
  decided_by   text,
  reason       text,
  question     text,
  answer       text,
  granted      jsonb,
  key_id       text,
  claimed_at   timestamptz(3)
);

-- One open request per address.
CREATE UNIQUE INDEX api_key_requests_open_idx ON api_key_requests (email) WHERE status IN ('unconfirmed', 'confirmed');
CREATE INDEX api_key_requests_status_idx ON api_key_requests (status, created_at);
CREATE INDEX api_key_requests_email_idx ON api_key_requests (email, created_at);

CREATE TABLE one_time_links (
  hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  purpose    text NOT NULL,
  subject    text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3)
);

CREATE INDEX one_time_links_expires_idx ON one_time_links (expires_at);

CREATE TABLE mails (
  id         text PRIMARY KEY,
  to_address text NOT NULL,
  template   text NOT NULL,
  subject    text NOT NULL,
  args       jsonb NOT NULL,
  status     text NOT NULL CHECK (status IN ('waiting', 'sent', 'bounced', 'failed')),
  attempts   integer NOT NULL,
  last_error text,
  created_at timestamptz(3) NOT NULL,
  due_at     timestamptz(3) NOT NULL
);

CREATE INDEX mails_due_idx ON mails (due_at) WHERE status = 'waiting';
CREATE INDEX mails_to_idx ON mails (to_address, created_at);

ALTER TABLE api_keys
  ADD COLUMN email       text,
  ADD COLUMN day_quota   integer CHECK (day_quota > 0),
  ADD COLUMN replaced_by text;

CREATE INDEX api_keys_email_idx ON api_keys (email);

-- Usage by status; 0 = counted before statuses were.
ALTER TABLE api_usage
  ADD COLUMN status smallint NOT NULL DEFAULT 0,
  DROP CONSTRAINT api_usage_pkey,
  ADD PRIMARY KEY (account, day, key_id, route, status);

-- The limits of accounts, counted here because several processes serve one account.
CREATE TABLE api_limits (
  account text PRIMARY KEY,
  tokens  double precision NOT NULL,
  at      timestamptz(3) NOT NULL,
  day     date NOT NULL,
  used    bigint NOT NULL
) WITH (fillfactor = 50);

-- One request of an account: a token of its bucket and one of its day, or a refusal that costs nothing. The last moments of
-- counting may be lost with the server: nobody waits for the disk on every request.
CREATE FUNCTION api_take(wanted text, rate double precision, burst double precision, quota bigint, asked timestamptz)
RETURNS TABLE (tokens_left double precision, used_today bigint, refused_by text)
LANGUAGE plpgsql AS $$
DECLARE
  known api_limits%ROWTYPE;
  today date := (asked AT TIME ZONE 'UTC')::date;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO api_limits (account, tokens, at, day, used) VALUES (wanted, burst, asked, today, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO known FROM api_limits WHERE account = wanted FOR UPDATE;
  -- Clocks of several processes differ by a little: time never runs backwards here.
  tokens_left := LEAST(burst, known.tokens + GREATEST(0, extract(epoch FROM asked - known.at)) * rate);
  used_today := CASE WHEN known.day >= today THEN known.used ELSE 0 END;
  refused_by := CASE WHEN tokens_left < 1 - 1e-9 THEN 'rate' WHEN used_today >= quota THEN 'quota' END;
  IF refused_by IS NULL THEN
    tokens_left := GREATEST(0, tokens_left - 1);
    used_today := used_today + 1;
  END IF;
  UPDATE api_limits SET tokens = tokens_left, at = GREATEST(known.at, asked), day = GREATEST(known.day, today), used = used_today
    WHERE account = wanted;
  RETURN NEXT;
END $$;

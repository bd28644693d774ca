-- Convert: points for a share of a fixed budget of lamports per announced period.
INSERT INTO ledger_accounts (key, kind) VALUES ('house/conversions', 'conversions');

CREATE TABLE convert_periods (
  number          integer PRIMARY KEY CHECK (number > 0),
  budget_lamports bigint NOT NULL CHECK (budget_lamports > 0),
  opens_at        timestamptz(3) NOT NULL,
  closes_at       timestamptz(3) NOT NULL CHECK (closes_at > opens_at),
  announced_at    timestamptz(3) NOT NULL,
  status          text NOT NULL CHECK (status IN ('ANNOUNCED', 'SETTLING', 'SETTLED', 'CANCELLED')),
  total_points    bigint,
  paid_lamports   bigint,
  CONSTRAINT convert_periods_pay_their_budget CHECK (paid_lamports BETWEEN 0 AND budget_lamports),
  CONSTRAINT convert_periods_do_not_overlap
    EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&) WHERE (status <> 'CANCELLED')
);

-- What was announced stays: budget and dates are never changed.
CREATE FUNCTION convert_periods_stand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'convert_periods: % was announced and stands', OLD.number USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER convert_periods_stand BEFORE UPDATE ON convert_periods
  FOR EACH ROW WHEN ((NEW.number, NEW.budget_lamports, NEW.opens_at, NEW.closes_at)
      IS DISTINCT FROM (OLD.number, OLD.budget_lamports, OLD.opens_at, OLD.closes_at)
    OR OLD.total_points IS NOT NULL AND NEW.total_points IS DISTINCT FROM OLD.total_points
    OR OLD.status IN ('SETTLED', 'CANCELLED'))
  EXECUTE FUNCTION convert_periods_stand();

CREATE TABLE convert_entries (
  id         text PRIMARY KEY,
  period     integer NOT NULL REFERENCES convert_periods (number),
  user_id    text NOT NULL REFERENCES users (id),
  idem_key   text NOT NULL,
  points     bigint NOT NULL CHECK (points > 0),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX convert_entries_idem_key_key ON convert_entries (idem_key);
CREATE INDEX convert_entries_period_user_id_idx ON convert_entries (period, user_id);

-- One per person and period: what the share brought, 0 = the points were given back.
CREATE TABLE convert_outcomes (
  period   integer NOT NULL REFERENCES convert_periods (number),
  user_id  text NOT NULL REFERENCES users (id),
  points   bigint NOT NULL CHECK (points > 0),
  lamports bigint NOT NULL CHECK (lamports >= 0),
  at       timestamptz(3) NOT NULL,
  PRIMARY KEY (period, user_id)
);
CREATE INDEX convert_outcomes_user_id_idx ON convert_outcomes (user_id, period);

-- Who wants to hear of the next opening; taken off when told.
CREATE TABLE convert_watchers (
  user_id    text PRIMARY KEY REFERENCES users (id),
  created_at timestamptz(3) NOT NULL
);

-- A conversion is owed and paid like a rebate; its `signature` is `<period>.<user>`.
ALTER TABLE rewards DROP CONSTRAINT rewards_source_check;
ALTER TABLE rewards ADD CONSTRAINT rewards_source_check CHECK (source IN ('referral', 'rebate', 'conversion'));

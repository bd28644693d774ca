-- Points: an internal balance on the same ledger, in a currency of its own.

INSERT INTO ledger_accounts (key, kind) VALUES
  ('house/rebates', 'rebates'), ('house/points-issued', 'points-issued'), ('house/points-spent', 'points-spent'),
  ('house/points-expired', 'points-expired');

-- The weekly board and the abuse view read by time; lamports' transfers stay out of it.
CREATE INDEX ledger_transfers_points_idx ON ledger_transfers (created_at) WHERE currency = 'POINT';

-- One row per Telegram account, whatever becomes of its wallets: the cap lives here.
CREATE TABLE point_miners (
  telegram_id      bigint PRIMARY KEY,
  user_id          text NOT NULL REFERENCES users (id),
  version          integer NOT NULL,
  energy           integer NOT NULL CHECK (energy >= 0),
  energy_at        timestamptz(3) NOT NULL,
  day              integer NOT NULL,
  mined_today      integer NOT NULL CHECK (mined_today >= 0),
  streak           integer NOT NULL CHECK (streak >= 0),
  last_tap_at      timestamptz(3) NOT NULL,
  taps             integer NOT NULL,
  fast_taps        integer NOT NULL,
  pauses           integer NOT NULL,
  pause_sum_ms     bigint NOT NULL,
  pause_squares_ms bigint NOT NULL
);
CREATE UNIQUE INDEX point_miners_user_id_key ON point_miners (user_id);

-- A clock that is set back must give nothing back: neither the day nor the time up to which energy is counted ever falls.
CREATE FUNCTION point_miners_go_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'point_miners: % would go back in time', NEW.telegram_id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER point_miners_go_forward BEFORE UPDATE ON point_miners
  FOR EACH ROW WHEN (NEW.day < OLD.day OR NEW.energy_at < OLD.energy_at OR NEW.version <= OLD.version
    OR NEW.day = OLD.day AND NEW.mined_today < OLD.mined_today)
  EXECUTE FUNCTION point_miners_go_forward();

-- The name on the weekly board; no row or null = not shown by name.
CREATE TABLE point_profiles (
  user_id    text PRIMARY KEY REFERENCES users (id),
  board_name text
);

CREATE TABLE point_redemptions (
  id         text PRIMARY KEY,
  user_id    text NOT NULL REFERENCES users (id),
  idem_key   text NOT NULL,
  item       text NOT NULL,
  points     bigint NOT NULL CHECK (points > 0),
  effect     jsonb NOT NULL,
  starts_at  timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) CHECK (ends_at > starts_at),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX point_redemptions_idem_key_key ON point_redemptions (idem_key);
CREATE INDEX point_redemptions_user_id_idx ON point_redemptions (user_id, id);

-- What is left of something limited: pieces, or lamports of the rebate budget.
CREATE TABLE point_stocks (
  item      text PRIMARY KEY,
  remaining bigint NOT NULL CHECK (remaining >= 0)
);

CREATE TABLE point_seasons (
  number    integer PRIMARY KEY,
  carry_bps integer NOT NULL CHECK (carry_bps BETWEEN 0 AND 10000),
  started_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  people    integer,
  expired   bigint
);

-- What is owed to people and paid in batches: an inviter's share of a fee, or a rebate, which has no trade behind it. A rebate's
-- `signature` is its redemption's id.
ALTER TABLE rewards ADD COLUMN source text NOT NULL DEFAULT 'referral' CHECK (source IN ('referral', 'rebate'));
ALTER TABLE rewards ALTER COLUMN invitee_id DROP NOT NULL, ALTER COLUMN intent_id DROP NOT NULL, ALTER COLUMN fee_lamports DROP NOT NULL;
ALTER TABLE rewards ADD CONSTRAINT rewards_referral_names_its_trade
  CHECK (source <> 'referral' OR (invitee_id IS NOT NULL AND intent_id IS NOT NULL AND fee_lamports IS NOT NULL));

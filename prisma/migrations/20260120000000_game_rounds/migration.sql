-- Games on points: one row per round, written before its first button is shown.
INSERT INTO ledger_accounts (key, kind) VALUES ('house/points-games', 'points-games');

CREATE TABLE game_rounds (
  id           text PRIMARY KEY,
  user_id      text NOT NULL REFERENCES users (id),
  game         text NOT NULL,
  table_id     text NOT NULL,
  commitment   text NOT NULL CHECK (commitment ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz(3) NOT NULL,
  choice       integer CHECK (choice BETWEEN 0 AND 255),
  points       bigint CHECK (points > 0),
  day          integer,
  started_at   timestamptz(3),
  seed         text,
  payout       bigint CHECK (payout >= 0),
  settled_at   timestamptz(3),
  -- An open round that was taken back; never one with a bet.
  withdrawn_at timestamptz(3) CHECK (withdrawn_at IS NULL OR points IS NULL),
  CONSTRAINT game_rounds_bet_is_whole CHECK (num_nulls(choice, points, day, started_at) IN (0, 4)),
  CONSTRAINT game_rounds_result_is_whole CHECK (num_nulls(seed, payout, settled_at) IN (0, 3)),
  CONSTRAINT game_rounds_result_follows_bet CHECK (seed IS NULL OR points IS NOT NULL),
  -- The database takes no seed but the one that was committed to.
  CONSTRAINT game_rounds_seed_is_committed CHECK (
    seed IS NULL OR commitment = encode(sha256(convert_to(table_id || ':' || id || ':' || seed, 'UTF8')), 'hex'))
);
CREATE UNIQUE INDEX game_rounds_one_open_key ON game_rounds (user_id, table_id) WHERE points IS NULL AND withdrawn_at IS NULL;
CREATE INDEX game_rounds_user_id_game_day_idx ON game_rounds (user_id, game, day);
CREATE INDEX game_rounds_started_idx ON game_rounds (started_at) WHERE points IS NOT NULL AND settled_at IS NULL;

-- What was shown stays: neither a commitment nor a bet nor a result is ever written over.
CREATE FUNCTION game_rounds_are_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'game_rounds: % would be written over', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER game_rounds_are_written_once BEFORE UPDATE ON game_rounds
  FOR EACH ROW WHEN (
    (NEW.id, NEW.user_id, NEW.game, NEW.table_id, NEW.commitment) IS DISTINCT FROM (OLD.id, OLD.user_id, OLD.game, OLD.table_id, OLD.commitment)
    OR OLD.points IS NOT NULL AND (NEW.choice, NEW.points, NEW.day) IS DISTINCT FROM (OLD.choice, OLD.points, OLD.day)
    OR OLD.seed IS NOT NULL AND (NEW.seed, NEW.payout) IS DISTINCT FROM (OLD.seed, OLD.payout)
    OR OLD.withdrawn_at IS NOT NULL)
  EXECUTE FUNCTION game_rounds_are_written_once();
CREATE TRIGGER game_rounds_stay BEFORE DELETE ON game_rounds
  FOR EACH ROW EXECUTE FUNCTION game_rounds_are_written_once();

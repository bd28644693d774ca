-- Groups whose creator has set something, and the first scans of mints in groups.
CREATE TABLE groups (
  id bigint NOT NULL PRIMARY KEY CHECK (id < 0),
  owner_id text NOT NULL REFERENCES users (id),
  owner_name text NOT NULL,
  carries_code boolean NOT NULL,
  language text NOT NULL,
  changed_at timestamptz(3) NOT NULL
);

CREATE TABLE group_calls (
  group_id bigint NOT NULL CHECK (group_id < 0),
  mint text NOT NULL,
  caller_id bigint,
  caller_name text,
  called_at timestamptz(3) NOT NULL,
  called_slot bigint NOT NULL CHECK (called_slot >= 0),
  pico_usd numeric(40, 0) CHECK (pico_usd >= 0),
  units numeric(20, 0) CHECK (units > 0),
  lamports numeric(20, 0) CHECK (lamports >= 0),
  best_lamports numeric(20, 0) CHECK (best_lamports >= 0),
  high_lamports numeric(20, 0) CHECK (high_lamports >= 0),
  high_slot bigint CHECK (high_slot >= 0),
  due_at timestamptz(3) NOT NULL,
  PRIMARY KEY (group_id, mint),
  CHECK ((caller_id IS NULL) = (caller_name IS NULL)),
  CHECK ((high_lamports IS NULL) = (high_slot IS NULL)),
  CHECK (lamports IS NULL OR units IS NOT NULL)
);
CREATE INDEX group_calls_due_at_idx ON group_calls (due_at);
CREATE INDEX group_calls_called_at_idx ON group_calls (called_at);

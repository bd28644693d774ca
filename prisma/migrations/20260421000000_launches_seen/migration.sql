-- Tokens that appeared on launchpads, how far each pad was read, and who wants to hear of them.
CREATE TABLE launches_seen (
  mint text NOT NULL PRIMARY KEY,
  pad text NOT NULL,
  curve text NOT NULL,
  config text,
  creator text NOT NULL,
  signature text NOT NULL,
  created_slot bigint NOT NULL CHECK (created_slot >= 0),
  created_at timestamptz(3) NOT NULL,
  stage text NOT NULL CHECK (stage IN ('new', 'near', 'complete', 'graduated')),
  near_slot bigint CHECK (near_slot >= 0),
  complete_slot bigint CHECK (complete_slot >= 0),
  graduated_slot bigint CHECK (graduated_slot >= 0),
  sold_bps integer NOT NULL CHECK (sold_bps BETWEEN 0 AND 10000),
  pool text,
  taken_back boolean NOT NULL,
  looked_at timestamptz(3) NOT NULL,
  moved_at timestamptz(3) NOT NULL
);
CREATE INDEX launches_seen_curve_idx ON launches_seen (curve);
CREATE INDEX launches_seen_created_at_idx ON launches_seen (created_at DESC);
CREATE INDEX launches_seen_moved_at_idx ON launches_seen (moved_at DESC);

CREATE TABLE launch_places (
  pad text NOT NULL PRIMARY KEY,
  slot bigint NOT NULL CHECK (slot >= 0)
);

CREATE TABLE launch_alerts (
  user_id text NOT NULL PRIMARY KEY REFERENCES users (id),
  stages text[] NOT NULL CHECK (stages <@ ARRAY['new', 'near', 'graduated']),
  filter text NOT NULL CHECK (length(filter) <= 200),
  hour_at timestamptz(3),
  hour_told integer NOT NULL CHECK (hour_told >= 0),
  hour_held integer NOT NULL CHECK (hour_held >= 0)
);

CREATE TABLE launch_notices (
  user_id text NOT NULL REFERENCES users (id),
  mint text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('new', 'near', 'graduated')),
  at timestamptz(3) NOT NULL,
  message_id bigint,
  taken_back boolean NOT NULL,
  PRIMARY KEY (user_id, mint, stage)
);
CREATE INDEX launch_notices_mint_idx ON launch_notices (mint);
CREATE INDEX launch_notices_at_idx ON launch_notices (at);

-- One row per process that runs, written at each beat: whether the database takes a write, what its clock says, and what runs where.
CREATE TABLE processes (
  id         text PRIMARY KEY,
  roles      text NOT NULL,
  version    text NOT NULL,
  host       text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  beat_at    timestamptz(3) NOT NULL
);
CREATE INDEX processes_beat_at_idx ON processes (beat_at);

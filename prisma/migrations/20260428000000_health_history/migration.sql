-- Per part and UTC day, a bit for each minute that was measured and one for each that was found down.
CREATE TABLE health_days (
  part text NOT NULL,
  day date NOT NULL,
  measured bit(1440) NOT NULL,
  down bit(1440) NOT NULL,
  PRIMARY KEY (day, part),
  CHECK (down & ~measured = repeat('0', 1440)::bit(1440))
);

-- Incidents as an operator tells them, and their notes.
CREATE TABLE incidents (
  id text NOT NULL PRIMARY KEY,
  title text NOT NULL CHECK (title <> ''),
  parts text[] NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3) CHECK (closed_at >= opened_at)
);
CREATE INDEX incidents_opened_at_idx ON incidents (opened_at);

CREATE TABLE incident_notes (
  id text NOT NULL PRIMARY KEY,
  incident_id text NOT NULL REFERENCES incidents (id),
  at timestamptz(3) NOT NULL,
  text text NOT NULL CHECK (text <> '')
);
CREATE INDEX incident_notes_incident_id_idx ON incident_notes (incident_id);

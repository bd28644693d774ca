-- Documents wait too, until a mint that points at them is seen. What stands today stays for good: unused_since is NULL there.
-- The file that a document names as its image: a picture that no document names is nobody's.
ALTER TABLE metadata_files ADD COLUMN image_name text;
CREATE INDEX metadata_files_image_name_idx ON metadata_files (image_name);

-- Mints that strangers may make with a document of ours: looked for on chain before the document goes.
CREATE TABLE awaited_mints (
  mint      text NOT NULL,
  sha256    text NOT NULL,
  uri       text NOT NULL,
  since     timestamptz(3) NOT NULL,
  looked_at timestamptz(3),
  PRIMARY KEY (mint, sha256)
);
CREATE INDEX awaited_mints_sha256_idx ON awaited_mints (sha256);
CREATE INDEX awaited_mints_since_idx ON awaited_mints (since);

-- Few rows: the sweep asks whether one of them may still need a document.
CREATE INDEX intents_unfinished_creations_idx ON intents (kind)
  WHERE status IN ('CREATED', 'ACTIVE', 'NEEDS_REVIEW') AND kind IN ('create-token', 'prepare-token', 'launch');

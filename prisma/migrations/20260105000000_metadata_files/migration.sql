-- Documents and pictures that tokens point at. The name of a file is the hash of its bytes: rows are never changed.

CREATE TABLE metadata_files (
  sha256     text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  type       text NOT NULL CHECK (type IN ('json', 'png', 'jpg')),
  bytes      bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 2097152),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (sha256, type),
  CHECK (encode(sha256(bytes), 'hex') = sha256)
);

-- Already compressed: the default would try in vain at every write.
ALTER TABLE metadata_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

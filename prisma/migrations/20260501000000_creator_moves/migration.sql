-- Units of a token that its creator gave to another wallet, in one final transaction: sales of that wallet count as the creator's.
CREATE TABLE creator_moves (
  mint text NOT NULL,
  creator text NOT NULL,
  signature text NOT NULL,
  recipient text NOT NULL CHECK (recipient <> creator),
  slot bigint NOT NULL,
  units numeric(20, 0) NOT NULL CHECK (units > 0),
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (mint, creator, signature, recipient)
);
CREATE INDEX creator_moves_seen_at_idx ON creator_moves (seen_at);

-- The final slots between which the transfers of a creator were read.
CREATE TABLE creator_places (
  creator text NOT NULL PRIMARY KEY,
  from_slot bigint NOT NULL,
  slot bigint NOT NULL,
  CHECK (from_slot <= slot)
);

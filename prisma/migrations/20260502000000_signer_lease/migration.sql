-- The signer that signs, and the standbys that have each of its lines. One row, once a signer with peers has started.
CREATE TABLE signer_lease (
  id smallint PRIMARY KEY CHECK (id = 1),
  holder text NOT NULL,
  epoch bigint NOT NULL CHECK (epoch > 0),
  until timestamptz(3) NOT NULL,
  level text[] NOT NULL
);

-- The search for the sender of a followed wallet's first SOL.
CREATE TABLE leader_funders (
  leader text NOT NULL PRIMARY KEY,
  funder text,
  -- How it ended; absent while it goes on.
  ended text CHECK (ended IN ('found', 'long', 'cut', 'unclear')),
  -- How often the node gave no answer, and from when on it is asked again.
  tries integer NOT NULL CHECK (tries >= 0),
  retry_at timestamptz(3),
  CHECK ((funder IS NOT NULL) = (ended IS NOT DISTINCT FROM 'found'))
);

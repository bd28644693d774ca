-- What happened to the tape, in the order of the commits: whoever gives a number holds a lock until the commit, so that no reader sees
-- a later number before an earlier one. A reader of the stream goes on from here; the newest 100,000 or so are kept.
CREATE TABLE tape_log (
  seq       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  market_id integer NOT NULL,
  trade_id  bigint NOT NULL,
  -- A fork had the trade, and it was taken back.
  retracted boolean NOT NULL
);
CREATE INDEX tape_log_trade_idx ON tape_log (trade_id);

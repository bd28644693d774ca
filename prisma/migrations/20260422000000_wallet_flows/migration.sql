-- What each wallet traded: sums of sealed trades per token and UTC day, in smallest units, lamports and millionths of a dollar. `unvalued`
-- counts trades of two tokens of which neither is SOL or a dollar; their units are in no sum.
CREATE TABLE wallet_flows (
  trader            bytea NOT NULL,
  mint              bytea NOT NULL,
  day               date NOT NULL,
  bought            numeric(40, 0) NOT NULL CHECK (bought >= 0),
  cost_lamports     numeric(40, 0) NOT NULL CHECK (cost_lamports >= 0),
  cost_usd          numeric(40, 0) NOT NULL CHECK (cost_usd >= 0),
  sold              numeric(40, 0) NOT NULL CHECK (sold >= 0),
  proceeds_lamports numeric(40, 0) NOT NULL CHECK (proceeds_lamports >= 0),
  proceeds_usd      numeric(40, 0) NOT NULL CHECK (proceeds_usd >= 0),
  trades            bigint NOT NULL CHECK (trades > 0),
  unvalued          bigint NOT NULL CHECK (unvalued >= 0 AND unvalued <= trades),
  PRIMARY KEY (trader, mint, day)
);

-- Days past their time go.
CREATE INDEX wallet_flows_day_idx ON wallet_flows (day);

-- Where trades were sealed before, sums begin now. A new tape says at its first seal from when they are whole.
INSERT INTO tape_meta (name, value)
SELECT 'flows_since', extract(epoch FROM now())::bigint::text WHERE EXISTS (SELECT FROM market_cursors);

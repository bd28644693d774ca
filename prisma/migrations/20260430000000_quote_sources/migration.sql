-- How often each source of prices offered, won and failed, by UTC day.
CREATE TABLE quote_sources (
  day date NOT NULL,
  pair_class text NOT NULL CHECK (pair_class IN ('major', 'other')),
  source text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('offered', 'won', 'failed')),
  gain_bps integer NOT NULL CHECK (gain_bps BETWEEN 0 AND 10000),
  quotes bigint NOT NULL CHECK (quotes > 0),
  PRIMARY KEY (day, pair_class, source, outcome, gain_bps)
);

-- One row for each landed trade of a person: what the tape shows around it. `sender`: the one that got a tip, or `nodes`.
CREATE TABLE trade_verdicts (
  intent_id text PRIMARY KEY REFERENCES intents (id),
  sender text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('sure', 'likely', 'none', 'not-known')),
  cost_bps integer CHECK ((cost_bps IS NOT NULL) = (verdict IN ('sure', 'likely'))),
  judged_at timestamptz(3) NOT NULL
);
CREATE INDEX trade_verdicts_judged_at_idx ON trade_verdicts (judged_at);

-- Acts that are limited to so many within a span, counted under the lock of the person's guard.
CREATE TABLE act_uses (
  id      text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id),
  -- What is counted together: `Rate` of core/guard/acts.ts.
  rate    text NOT NULL,
  at      timestamptz(3) NOT NULL
);
CREATE INDEX act_uses_user_id_rate_at_idx ON act_uses (user_id, rate, at);

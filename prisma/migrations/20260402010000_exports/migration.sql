-- Keys on their way out. A row is written by the signer alone: asked for, ready after its wait, then taken, stopped or too old.
CREATE TABLE exports (
  id         text PRIMARY KEY,
  user_id    text NOT NULL REFERENCES users (id),
  wallet_id  text NOT NULL REFERENCES wallets (id),
  asked_at   timestamptz(3) NOT NULL,
  ready_at   timestamptz(3) NOT NULL CHECK (ready_at >= asked_at),
  ends_at    timestamptz(3) NOT NULL CHECK (ends_at > ready_at),
  -- Null while it may still be taken or stopped.
  end_kind   text CHECK (end_kind IN ('TAKEN', 'STOPPED', 'LAPSED')),
  end_at     timestamptz(3),
  stopped_by text CHECK (stopped_by IN ('person', 'pin', 'freeze', 'switch')),
  CHECK ((end_kind IS NULL) = (end_at IS NULL)),
  CHECK ((end_kind IS NOT DISTINCT FROM 'STOPPED') = (stopped_by IS NOT NULL))
);
-- One open per person, whoever asks twice.
CREATE UNIQUE INDEX exports_open_key ON exports (user_id) WHERE end_kind IS NULL;
CREATE INDEX exports_user_id_asked_at_idx ON exports (user_id, asked_at);

-- When a switch was last thrown, also after it was resumed: what was under way then is stopped and stays so.
ALTER TABLE system_flags ADD COLUMN paused_at timestamptz(3);
UPDATE system_flags SET paused_at = updated_at WHERE is_on;

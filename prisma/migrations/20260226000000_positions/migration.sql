-- What wallets hold and what it cost. The events are the record; the positions are what they add up to, and can be made anew from
-- them at any time.

CREATE TABLE position_events (
  wallet_id             text NOT NULL REFERENCES wallets (id),
  mint                  text NOT NULL,
  signature             text NOT NULL,
  kind                  text NOT NULL CHECK (kind IN ('buy', 'sell', 'failed', 'own-out', 'own-in', 'received', 'airdrop',
                          'withdrawn', 'taken', 'remainder', 'creation', 'adjustment')),
  slot                  bigint NOT NULL CHECK (slot >= 0),
  at                    timestamptz(3) NOT NULL,
  -- Smallest units of the mint. Only a difference to the chain has a sign of its own.
  units                 numeric(20, 0) NOT NULL CHECK (units >= 0 OR kind = 'adjustment'),
  -- What the kind says: the flow of a trade, the fee of a failure, the value or the cost of what came; 0 for the others.
  lamports              bigint NOT NULL,
  revision              integer NOT NULL DEFAULT 0,
  final                 boolean NOT NULL,
  intent_id             text REFERENCES intents (id),
  fee_lamports          bigint NOT NULL CHECK (fee_lamports >= 0),
  platform_fee_lamports bigint NOT NULL CHECK (platform_fee_lamports >= 0),
  rent_lamports         bigint NOT NULL,
  PRIMARY KEY (wallet_id, mint, signature, kind)
);
CREATE INDEX position_events_wallet_id_slot_signature_idx ON position_events (wallet_id, slot, signature);

-- Append-only. Two things may change: what a person says that received units were worth, and that a transaction became final.
CREATE FUNCTION position_events_stand() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND (NEW.wallet_id, NEW.mint, NEW.signature, NEW.kind, NEW.units) = (OLD.wallet_id, OLD.mint, OLD.signature, OLD.kind, OLD.units)
    AND (NEW.final OR NOT OLD.final)
    AND (NEW.lamports = OLD.lamports OR (OLD.kind = 'received' AND NEW.revision > OLD.revision)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'position events are never changed or removed'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'position_events_append_only';
END $$;
CREATE TRIGGER position_events_append_only BEFORE UPDATE OR DELETE ON position_events
  FOR EACH ROW EXECUTE FUNCTION position_events_stand();

-- A row with `stale` has events that are not folded in.
CREATE TABLE positions (
  wallet_id         text NOT NULL REFERENCES wallets (id),
  mint              text NOT NULL,
  stale             boolean NOT NULL,
  units             numeric(40, 0) NOT NULL DEFAULT 0,
  cost              bigint NOT NULL DEFAULT 0,
  realized          bigint NOT NULL DEFAULT 0,
  hidden            boolean NOT NULL DEFAULT true,
  priced_at_receipt boolean NOT NULL DEFAULT false,
  remainder_units   numeric(40, 0) NOT NULL DEFAULT 0,
  withdrawn_units   numeric(40, 0) NOT NULL DEFAULT 0,
  withdrawn_cost    bigint NOT NULL DEFAULT 0,
  taken_units       numeric(40, 0) NOT NULL DEFAULT 0,
  adjusted_units    numeric(40, 0) NOT NULL DEFAULT 0,
  up_to_slot        bigint,
  up_to_signature   text,
  -- What the person chose; null leaves it to the events.
  hidden_by_person  boolean,
  PRIMARY KEY (wallet_id, mint),
  CHECK ((up_to_slot IS NULL) = (up_to_signature IS NULL))
);

-- A wallet at 00:00 UTC, and what its day did.
CREATE TABLE wallet_days (
  wallet_id    text NOT NULL REFERENCES wallets (id),
  day          date NOT NULL,
  net_value    bigint NOT NULL,
  PRIMARY KEY (wallet_id, day)
);

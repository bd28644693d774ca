-- A result that is drawn again before it is final reads its figures from the notice of its confirmation.
CREATE INDEX notices_confirmed_idx ON notices (intent_id) WHERE kind = 'confirmed';

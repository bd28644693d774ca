-- What retention looks for, so that a round costs what it removes and not what is kept.
CREATE INDEX notices_delivered_idx ON notices (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX attempts_bytes_idx ON attempts (signed_at)
  WHERE status IN ('FINALIZED', 'LANDED_ERR', 'DEAD') AND signed_transaction <> ''::bytea;

-- What an inviter's screens add up: sums and invitees without a look at each reward's row, trades without those of other days.
CREATE INDEX rewards_inviter_invitee_idx ON rewards (inviter_id, invitee_id, created_at) INCLUDE (lamports, status, source, intent_id);
CREATE INDEX intents_trades_idx ON intents (user_id, updated_at) WHERE status = 'SUCCEEDED' AND kind IN ('buy', 'sell');
-- As before, and the kind beside it: trades without a reward are found without a look at each trade's row.
CREATE INDEX intents_user_id_id_kind_idx ON intents (user_id, id) INCLUDE (kind);
DROP INDEX intents_user_id_id_idx;
ALTER INDEX intents_user_id_id_kind_idx RENAME TO intents_user_id_id_idx;

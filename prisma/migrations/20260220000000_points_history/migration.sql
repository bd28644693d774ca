-- A person's points in the order of their transfers, whose ids begin with their time: the newest lines of a history are found
-- without the others. Of points alone: with the entries of the house, whom nobody pages through, it would be four times the size.
CREATE INDEX ledger_entries_points_idx ON ledger_entries (account_key, transfer_id) WHERE account_key LIKE 'points/%';

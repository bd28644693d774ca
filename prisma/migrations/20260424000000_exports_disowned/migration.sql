-- A key file that the signer's journal does not know is stopped by the signer.
ALTER TABLE exports DROP CONSTRAINT exports_stopped_by_check;
ALTER TABLE exports ADD CONSTRAINT exports_stopped_by_check
  CHECK (stopped_by IN ('person', 'pin', 'freeze', 'switch', 'signer'));

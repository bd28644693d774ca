-- The certificate of a period's budget and dates, under the signer's key. All three, or none: an earlier release wrote the row.
ALTER TABLE convert_periods
  ADD COLUMN certificate text,
  ADD COLUMN certified_at timestamptz(3),
  -- Lamports that were paid from the period before, and that no line of the signer's journal counts.
  ADD COLUMN uncounted_lamports bigint CHECK (uncounted_lamports >= 0),
  ADD CONSTRAINT convert_periods_seal_is_whole CHECK (num_nulls(certificate, certified_at, uncounted_lamports) IN (0, 3));
-- As before, but a period that has ended may get a certificate.
DROP TRIGGER convert_periods_stand ON convert_periods;
CREATE TRIGGER convert_periods_stand BEFORE UPDATE ON convert_periods
  FOR EACH ROW WHEN ((NEW.number, NEW.budget_lamports, NEW.opens_at, NEW.closes_at)
      IS DISTINCT FROM (OLD.number, OLD.budget_lamports, OLD.opens_at, OLD.closes_at)
    OR OLD.total_points IS NOT NULL AND NEW.total_points IS DISTINCT FROM OLD.total_points
    OR OLD.status IN ('SETTLED', 'CANCELLED') AND (NEW.status, NEW.announced_at, NEW.total_points, NEW.paid_lamports)
      IS DISTINCT FROM (OLD.status, OLD.announced_at, OLD.total_points, OLD.paid_lamports))
  EXECUTE FUNCTION convert_periods_stand();

-- A role that owns no table cannot make or drop one. These two make and drop partitions of the tape and no other table, as the owner.
-- PUBLIC may call neither: `ops db roles` grants them to the roles that keep the tape.
CREATE FUNCTION tape_make_partition(wanted text, lower_bound bigint, upper_bound bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  res text := substring(wanted FROM '^candles_(1|5|15|60|240|1440)(?:_w[0-9]{1,9})?$');
BEGIN
  IF to_regclass('public.' || quote_ident(wanted)) IS NOT NULL THEN
    RETURN;
  END IF;
  IF wanted ~ '^trades_[0-9]{1,9}$' THEN
    EXECUTE format('CREATE TABLE public.%I (LIKE public.trades INCLUDING DEFAULTS)', wanted);
    EXECUTE format('ALTER TABLE public.trades ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      wanted, lower_bound, upper_bound);
  ELSIF wanted ~ '^candles_[15]_w[0-9]{1,9}$' THEN
    EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS)', wanted, 'candles_' || res);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
      'candles_' || res, wanted, lower_bound, upper_bound);
  ELSIF wanted = 'candles_' || res THEN
    EXECUTE format('CREATE TABLE public.%I (LIKE public.candles INCLUDING DEFAULTS) %s', wanted,
      CASE WHEN res IN ('1', '5') THEN 'PARTITION BY RANGE (t)' ELSE '' END);
    EXECUTE format('ALTER TABLE public.candles ATTACH PARTITION public.%I FOR VALUES IN (%s)', wanted, res);
  ELSE
    RAISE EXCEPTION '% is no partition of the tape', wanted USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;

CREATE FUNCTION tape_drop_partition(wanted text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF wanted !~ '^(trades_|candles_[15]_w)[0-9]{1,9}$' THEN
    RAISE EXCEPTION '% is no partition of the tape', wanted USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('DROP TABLE IF EXISTS public.%I', wanted);
END $$;

REVOKE EXECUTE ON FUNCTION tape_make_partition(text, bigint, bigint), tape_drop_partition(text) FROM PUBLIC;

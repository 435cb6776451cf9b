/**
 * The functions of migration 0004 that create, close and drop ranges of job numbers. They run as the owner of the schema,
 * because the job manager's role may neither create nor drop a table, and they check everything themselves: what the
 * role passes to them can neither drop a job of the last day nor one that has not ended.
 */

/**
 * Gives every partitioned table of the schema a partition for each existing range, for the present one and for `ahead`
 * more; returns how many were created. A later migration that adds such a table calls it. Inserts and queries go on
 * meanwhile: a new table is attached, which conflicts with no lock of theirs.
 */
export const prepareRanges = `
  CREATE FUNCTION jobs.prepare_ranges(ahead int) RETURNS int LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $$
  DECLARE
    missing CONSTANT text := $sql$
      SELECT parent.relname AS parent, parent.relname || '_' || wanted.number AS child, wanted.number
      FROM pg_class AS parent, (
        SELECT number FROM jobs.job_ids, generate_series(last_value / 1000000, last_value / 1000000 + $1) AS number
        UNION
        SELECT substring(child.relname FROM '[0-9]+$')::bigint FROM pg_inherits
        JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'jobs.jobs'::regclass) AS wanted
      WHERE parent.relnamespace = 'jobs'::regnamespace AND parent.relkind = 'p'
        AND to_regclass(format('jobs.%I', parent.relname || '_' || wanted.number)) IS NULL
      ORDER BY wanted.number, parent.relname $sql$;
    found record;
    created int := 0;
  BEGIN
    IF ahead IS NULL OR ahead NOT BETWEEN 1 AND 100 THEN
      RAISE EXCEPTION 'from 1 to 100 ranges can be prepared' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE missing INTO found USING ahead;
    IF found.child IS NULL THEN
      RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('waybill job ranges', 0));
    FOR found IN EXECUTE missing USING ahead LOOP
      EXECUTE format('CREATE TABLE jobs.%I (LIKE jobs.%I INCLUDING ALL)', found.child, found.parent);
      EXECUTE format('ALTER TABLE jobs.%I ATTACH PARTITION jobs.%I FOR VALUES FROM (%s) TO (%s)',
        found.parent, found.child, found.number * 1000000, (found.number + 1) * 1000000);
      created := created + 1;
    END LOOP;
    RETURN created;
  END $$;`;

/**
 * Closes the present range if its first job is older than `period` (an hour at least): the next number is the first of the
 * next range. Returns whether it did. A number is never given twice: ALTER SEQUENCE waits until the transactions that have
 * taken a number have ended, and lets no other take one until the sequence has moved on.
 */
export const closeRange = `
  CREATE FUNCTION jobs.close_range(period interval) RETURNS boolean LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
  DECLARE
    present CONSTANT bigint := (SELECT last_value / 1000000 FROM jobs.job_ids);
    begun timestamptz;
  BEGIN
    SELECT created_at INTO begun FROM jobs.jobs
    WHERE id >= present * 1000000 AND id < (present + 1) * 1000000 ORDER BY id LIMIT 1;
    IF begun IS NULL OR begun > clock_timestamp() - greatest(period, interval '1 hour')
      OR to_regclass('jobs.jobs_' || (present + 1)) IS NULL THEN
      RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('waybill job ranges', 0));
    ALTER SEQUENCE jobs.job_ids NO CYCLE;
    IF (SELECT last_value / 1000000 FROM jobs.job_ids) <> present THEN
      RETURN false;
    END IF;
    PERFORM setval('jobs.job_ids', (present + 1) * 1000000, false);
    RETURN true;
  END $$;`;

/**
 * Drops a range that lies before the present one, if none of its jobs waits or runs and the last change of any was before
 * `horizon`, which is at least a day ago. Returns whether it did. The locks that it needs conflict with every use of the
 * tables, and whoever comes later waits behind it: it gives up after `patience_ms`, of at most 100, and is called again.
 */
export const dropRange = `
  CREATE FUNCTION jobs.drop_range(number bigint, horizon timestamptz, patience_ms int) RETURNS boolean LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    lowest CONSTANT bigint := number * 1000000;
    given_up_at CONSTANT timestamptz := clock_timestamp() + least(greatest(patience_ms, 1), 100) * interval '1 millisecond';
    partitions text;
    locked text;
    is_kept boolean;
  BEGIN
    IF horizon IS NULL OR horizon > clock_timestamp() - interval '1 day' THEN
      RAISE EXCEPTION 'jobs are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF to_regclass('jobs.jobs_' || number) IS NULL
      OR number >= (SELECT last_value / 1000000 FROM jobs.job_ids)
      OR NOT pg_try_advisory_xact_lock(hashtextextended('waybill job ranges', 0)) THEN
      RETURN false;
    END IF;
    SELECT string_agg(format('jobs.%I', relname || '_' || number), ', ') INTO partitions
    FROM pg_class WHERE relnamespace = 'jobs'::regnamespace AND relkind = 'p';
    -- The tables first, as queries lock them; together they may take no longer than the patience.
    FOR locked IN
      SELECT format('ONLY jobs.%I', relname) FROM pg_class WHERE relnamespace = 'jobs'::regnamespace AND relkind = 'p'
      UNION ALL SELECT unnest(string_to_array(partitions, ', '))
    LOOP
      PERFORM set_config('lock_timeout',
        greatest(1, 1000 * extract(epoch FROM given_up_at - clock_timestamp()))::int || 'ms', true);
      EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', locked);
    END LOOP;
    EXECUTE format('SELECT EXISTS (SELECT FROM jobs.%I WHERE updated_at >= $1)', 'ended_' || number)
    INTO is_kept USING horizon;
    IF is_kept OR EXISTS (SELECT FROM jobs.active WHERE job_id >= lowest AND job_id < lowest + 1000000) THEN
      RETURN false;
    END IF;
    EXECUTE format('DROP TABLE %s', partitions);
    RETURN true;
  END $$;`;

/** The job manager's role gets its rights on them with the grants of its other functions. */
export const privileges = `
  REVOKE EXECUTE ON FUNCTION jobs.prepare_ranges(int), jobs.close_range(interval), jobs.drop_range(bigint, timestamptz, int)
  FROM PUBLIC;`;

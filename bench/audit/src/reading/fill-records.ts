import type { Database } from '@waybill/postgres/database';

/**
 * Fills the table of records with SQL, as a platform of some months would have them: a few big partners, four nodes, logins
 * between files, rare values among the oldest and the newest records. Hashes are random: the tree is not built. Indexes
 * are built afterwards.
 */
export async function fillRecords(db: Database, count: number): Promise<void> {
  const { rows } = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'audit.records'::regclass AND NOT indisprimary AND NOT indisunique`,
  );
  for (const { name } of rows) await db.raw(`DROP INDEX ${name}`);
  for (let first = 1; first <= count; first += 500_000)
    await db.raw(recordsSql, { first, last: Math.min(count, first + 499_999), count });
  for (const { definition } of rows) await db.raw(definition);
  await db.raw(
    `INSERT INTO audit.kinds
     SELECT DISTINCT audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type),
       cluster_id, module, audit_code, audit_operation, entity_type
     FROM audit.records`,
  );
  await db.raw('VACUUM (ANALYZE) audit.records');
  await db.raw('VACUUM (ANALYZE) audit.kinds');
}

/** The id of a record of `fillRecords`: of version 7, with its time. */
export function idOf(number: number): string {
  const time = timeOf(number).getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** The time of a record of `fillRecords`: one each 250 ms. */
export function timeOf(number: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + number * 250);
}

const recordsSql = `
  INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
    dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, dfiid, address, virtual_file_system,
    context, salt, recorded_at, hash)
  SELECT n, uuid_of(n), uuid_of(n - 1), CASE WHEN kind = 6 THEN 'MANAGER' ELSE 'ENGINE' END,
    CASE WHEN rare THEN 'rare' ELSE 'peer' || n % 4 END,
    CASE WHEN rare THEN 'rare AUDIT' ELSE 'manager1 AUDIT' END,
    (ARRAY['AUD0030A', 'AUD0041A', 'AUD0041A', 'AUD0042A', 'AUD0042A', 'AUD0043A', 'AUD0001A', 'AUD0099A'])[kind + 1],
    (ARRAY['SERVER_LOGIN', 'SERVER_UPLOAD_FILE', 'SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE', 'SERVER_DOWNLOAD_FILE',
      'SERVER_DELETE_FILE', 'CREATE', 'DELETE'])[kind + 1],
    CASE WHEN rare THEN 'rare' ELSE 'partner' || big END,
    CASE WHEN rare THEN 'Rare' WHEN kind = 0 THEN 'SFTP' WHEN kind = 6 THEN 'Contract' ELSE 'File' END,
    CASE WHEN rare THEN 'rare' WHEN kind = 0 THEN 'engine' ELSE path END,
    CASE WHEN rare THEN 'rare' WHEN kind = 0 THEN 'peer' || n % 4 ELSE n::text END,
    CASE WHEN rare THEN 'rare' WHEN kind = 0 THEN 'User partner' || big || ' has logged in'
      ELSE 'Server upload file ' || path || ' FilesetId ' || n END,
    timestamptz '2026-01-01 00:00Z' + n * interval '250 milliseconds',
    CASE WHEN rare THEN 'rare' WHEN kind > 0 THEN uuid_of(n * 7)::text END,
    CASE WHEN rare THEN 'rare' WHEN n % 3 > 0 THEN '192.0.2.' || n % 250 END,
    CASE WHEN rare THEN 'rare' WHEN kind > 0 THEN 'vfs' || n % 20 END,
    CASE WHEN rare OR kind BETWEEN 1 AND 4 THEN jsonb_build_object('session', n % 1000, 'client', 'OpenSSH_10.0', 'fileSize',
      n % 1000003, 'fileHash', CASE WHEN rare THEN rpad('rare', 64, '0')
        WHEN n % 100 = 1 THEN rpad('frequent', 64, '0') ELSE encode(sha256(int8send(n)), 'hex') END) END,
    '\\x00112233445566778899aabbccddeeff', now(), sha256(int8send(n))
  FROM (
    SELECT n, n <= 20 OR n > CAST(:count AS bigint) - 20 AS rare,
      CASE WHEN n <= 20 OR n > CAST(:count AS bigint) - 20 THEN 7 WHEN n % 1000 = 0 THEN 6 ELSE n % 6 END AS kind,
      (60 * power(n * 7919 % 10007 / 10007.0, 3))::int AS big,
      '/inbox/invoices/' || n % 31 || '/invoice-' || n * 7919 % 1000003 || '.csv' AS path
    FROM generate_series(CAST(:first AS bigint), CAST(:last AS bigint)) AS n) AS given,
    LATERAL (SELECT 1) AS one`.replaceAll(
  /uuid_of\(([^)]*)\)/gu,
  `CAST(lpad(to_hex(${Date.UTC(2026, 0, 1)} + ($1) * 250), 12, '0') || '70008000' || lpad(to_hex($1), 12, '0') AS uuid)`,
);

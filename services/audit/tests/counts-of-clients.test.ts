import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { expect, it } from 'vitest';
import { countRecords } from '../src/adapters/listing/count-records.ts';
import { openCountedReads } from './counted-reads.ts';

/** A third of the files is written by jobs, whose records have no address, the others by clients. */
const records = `
  INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
    dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, dfiid, address, virtual_file_system,
    context, salt, recorded_at, hash)
  SELECT n, gen_random_uuid(), gen_random_uuid(), 'ENGINE', 'peer1', 'manager1 AUDIT', 'AUD0041A', 'SERVER_UPLOAD_FILE',
    'acme', 'File', '/outbox/' || n, n::text, 'Server upload file', timestamptz '2026-01-01 00:00Z' + n * interval '1 second',
    'flow-' || n, CASE WHEN n % 3 > 0 THEN '192.0.2.' || n % 5 END, 'partners', jsonb_build_object('fileSize', 2), '', now(),
    sha256(int8send(n))
  FROM generate_series(1, 30000) AS n`;

it('uploads of clients are counted apart from what jobs write, and as fast', async () => {
  await using reads = await openCountedReads();
  await reads.db.raw(records);
  await reads.addKind('AUD0041A', 'SERVER_UPLOAD_FILE');
  await reads.db.raw('VACUUM (ANALYZE) audit.records');
  const count = async (condition: string) => {
    const q = `{auditCode="AUD0041A",fromAuditTime="2026-01-01T08:00:00Z"${condition}}`;
    const before = await reads.blocks();
    const found = await countRecords(
      reads.db,
      countAuditRecordsEndpoint.query.parse({ q, unit: 'month', bytes: 'true' }),
    );
    return { found, blocks: (await reads.blocks()) - before };
  };
  const all = await count('');
  const ofClients = await count(',address^=""');
  expect(all.found).toMatchObject([{ count: 1_201, bytes: 2_402 }]);
  expect(ofClients.found).toMatchObject([{ count: 800, bytes: 1_600 }]);
  expect(ofClients.blocks).toBeLessThanOrEqual(1.2 * all.blocks);
});

import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { auditCatalogue, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKnexRecordList } from '../src/adapters/listing/knex-record-list.ts';
import { type CountedReads, openCountedReads } from './counted-reads.ts';

/** With `AUDIT_RECORDS=100000` so many of each kind that must not be read; fewer are enough for every run of the tests. */
const recordCount = Number(process.env['AUDIT_RECORDS'] ?? '30000');

/** How often the folder is renamed, one time after the other. */
const renames = 8;

/** Each rename is one more search. Without either index of renames of folders, 800 more are read. */
const blocksAtMost = 1_700;

let reads: CountedReads;
let added = 0;
beforeAll(async () => {
  reads = await openCountedReads();
  // Files in a folder, other folders that are renamed, clients that change to the folder, and files renamed to a path that it has later.
  const few = recordCount / 4;
  await add('fileUploaded', few, { path: `'/f0/' || n`, dfiid: `'flow-' || n` });
  await add('folderRenamed', few, {
    path: `'/in/' || n`,
    message: `'Server rename folder from /in/' || n || ' to /out/' || n`,
  });
  await add('folderChanged', recordCount, { path: `'/f0'` });
  await add('fileRenamed', recordCount, {
    path: `'/in/' || n`,
    dfiid: `'other-' || n`,
    message: `'Server rename file from /in/' || n || ' FilesetId ' || n || ' to /f5 FilesetId ' || n`,
  });
  await add('folderRenamed', renames, {
    path: `'/f' || n - 1`,
    message: `'Server rename folder from /f' || n - 1 || ' to /f' || n`,
  });
  await reads.db.raw('VACUUM (ANALYZE) audit.records');
}, 600_000);
afterAll(() => reads[Symbol.asyncDispose]());

/** SQL of what the records have, by `n`, their number from 1. */
interface Columns {
  readonly path: string;
  readonly dfiid?: string;
  readonly message?: string;
}

/** Adds records, each one a second later than the one before. */
async function add(fact: AuditedFact, count: number, { path, dfiid = 'NULL', message = `''` }: Columns): Promise<void> {
  const from = added;
  added += count;
  const { code, operation } = auditCatalogue[fact];
  await reads.addKind(code, operation);
  await reads.db.raw(
    `INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
      dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, dfiid, virtual_file_system, context,
      salt, recorded_at, hash)
    SELECT ${from} + n, gen_random_uuid(), gen_random_uuid(), 'ENGINE', 'peer1', 'manager1 AUDIT', '${code}',
      '${operation}', 'acme', 'File', ${path}, n::text, ${message},
      timestamptz '2026-01-01 00:00Z' + (${from} + n) * interval '1 second', ${dfiid}, 'partners', '{}', '\\\\x00', now(),
      sha256(int8send(${from} + n))
    FROM generate_series(1, ${count}) AS n`,
  );
}

it.each([`{filePath="/f${renames}/7"}`, `{filePath="/f${renames}/7",virtualFileSystem="partners"}`])(
  'finds a file of a large folder that was renamed several times by reading little: %s',
  async (q) => {
    const list = createKnexRecordList(reads.db);
    const query = listAuditRecordsEndpoint.query.parse({ page: '0', q, sort: '-auditTime', files: 'true' });
    const before = await reads.blocks();
    const { records } = await list.list(query);
    expect(records.map(({ entityName }) => entityName)).toEqual(['/f0/7']);
    expect((await reads.blocks()) - before).toBeLessThan(blocksAtMost);
  },
);

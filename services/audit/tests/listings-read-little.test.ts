import { auditSortFields } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { Database } from '@waybill/postgres/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKnexRecordList } from '../src/adapters/listing/knex-record-list.ts';
import { type CountedReads, openCountedReads } from './counted-reads.ts';

const recordCount = 30_000;

/** A page without records needs a few blocks of an index, whose parts for one value have some hundred. */
const blocksAtMost = 40;

let reads: CountedReads;
let db: Database;
beforeAll(async () => {
  reads = await openCountedReads();
  ({ db } = reads);
  await db.raw(recordsSql);
  await reads.addKind('AUD0041A', 'SERVER_UPLOAD_FILE');
  await db.raw('VACUUM (ANALYZE) audit.records');
});
afterAll(() => reads[Symbol.asyncDispose]());

const hash = 'ab'.repeat(32);

/** Records of one partner with a message each, four in each second. */
const recordsSql = `
  INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
    dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, dfiid, address, virtual_file_system,
    context, salt, recorded_at, hash)
  SELECT n, id_of(n), id_of(n - 1), 'ENGINE', 'peer1', 'manager1 AUDIT', 'AUD0041A', 'SERVER_UPLOAD_FILE',
    'acme', 'File', CASE WHEN n % 6 = 0 THEN 'engine' ELSE '/inbox/' || n END, n::text,
    CASE WHEN n % 6 = 0 THEN 'User partner' || n % 60 || ' has logged in' ELSE 'Server upload file /inbox/' || n END,
    timestamptz '2026-01-01 00:00Z' + n * interval '250 milliseconds', 'flow-' || n, '192.0.2.1', 'partners',
    jsonb_build_object('fileHash', '${hash}'), '\\\\x00', now(), sha256(int8send(n))
  FROM generate_series(1, ${recordCount}) AS n`.replaceAll(
  /id_of\(([^)]*)\)/gu,
  `CAST(lpad(to_hex(${Date.UTC(2026, 0, 1)} + ($1) * 250), 12, '0') || '70008000' || lpad(to_hex($1), 12, '0') AS uuid)`,
);

const ranges = ['', ',toAuditTime="2025-01-01T00:00:00Z"', ',fromAuditTime="2030-01-01T00:00:00Z"'];
const middle = ',auditTime="2026-01-01T01:00:00.100Z"';
const frequent = {
  nodeId: 'peer1',
  entityType: 'File',
  dataoneUser: 'acme',
  entityName: 'engine',
  address: '192.0.2.1',
  virtualFileSystem: 'partners',
  fileHash: hash,
  fileName: 'engine',
  filePath: 'engine',
};
const others = ['dataoneUser', 'dfiid', 'address', 'virtualFileSystem', 'fileHash', 'fileName', 'filePath'];
const absent = ['auditMessage', 'entityName', 'entityId', ...others];
const values = ['absent', 'Server upload file', 'absent'.padEnd(130, 't'), 'Server upload file '.padEnd(130, 't')];
const filters = [
  ...Object.entries(frequent).flatMap(([field, value]) =>
    [...ranges.slice(1), middle].map((range) => `{${field}="${value}"${range}}`),
  ),
  ...absent.flatMap((field) => values.flatMap((value) => ranges.map((range) => `{${field}="${value}"${range}}`))),
];

it.each(['', '+auditTime', '-auditTime'])('reads few blocks to find no record, in the order %j', async (sort) => {
  const list = createKnexRecordList(db);
  const read: string[] = [];
  for (const q of filters) {
    const query = listAuditRecordsEndpoint.query.parse({ page: '0', q, ...(sort && { sort }) });
    const before = await reads.blocks();
    expect((await list.list(query)).records, q).toEqual([]);
    const blocks = (await reads.blocks()) - before;
    if (blocks > blocksAtMost) read.push(`${q}: ${blocks}`);
  }
  expect(read).toEqual([]);
});

it.each(auditSortFields)('reads little more than the records of a short time, in the order of %s', async (field) => {
  const list = createKnexRecordList(db);
  const within = 'fromAuditTime="2026-01-01T01:00:00Z",toAuditTime="2026-01-01T01:08:19.75Z"';
  for (const sort of [field, `-${field}`, `nodeId,-${field}`]) {
    if (sort === 'nodeId,-nodeId') continue;
    for (const filter of ['', 'virtualFileSystem="partners",']) {
      const query = listAuditRecordsEndpoint.query.parse({ page: '0', limit: '10', q: `{${filter}${within}}`, sort });
      const before = await reads.blocks();
      expect((await list.list(query)).records, sort).toHaveLength(10);
      const blocks = (await reads.blocks()) - before;
      expect(blocks, `${sort} ${filter}`).toBeLessThan(300);
    }
  }
});

it.each(['+id', '-id', '+correlationId', '-correlationId'])(
  'reads few records of a long time that begins late, in the order %s',
  async (sort) => {
    const list = createKnexRecordList(db, { sortedAtMost: 0 });
    const q = '{virtualFileSystem^="part",fromAuditTime="2026-01-01T01:00:00Z",toAuditTime="2026-01-01T02:00:00Z"}';
    for (let cursor: string | undefined = '', page = 0; page < 3; page += 1) {
      const query = { page: '0', limit: '10', q, sort, ...(cursor && { cursor }) };
      const before = await reads.rows();
      const { records, nextCursor } = await list.list(listAuditRecordsEndpoint.query.parse(query));
      expect(records).toHaveLength(10);
      cursor = nextCursor;
      // Those of a minute at each side, and for `correlationId` the record after each.
      expect((await reads.rows()) - before).toBeLessThan(1_000);
    }
  },
);

it('reads few records to list the newest files by a name, however many have it', async () => {
  const list = createKnexRecordList(db);
  for (const [q, most] of [
    ['{fileName="engine"}', 10],
    ['{fileName^="12345"}', 1],
    // Of a third of all records.
    ['{fileName^="2"}', 10],
    ['{fileName="engine",virtualFileSystem="partners"}', 10],
    ['{virtualFileSystem="partners"}', 10],
    ['', 10],
  ] as const) {
    const query = { page: '0', limit: '10', sort: '-auditTime', files: 'true', ...(q && { q }) };
    const before = await reads.rows();
    expect((await list.list(listAuditRecordsEndpoint.query.parse(query))).records, q).toHaveLength(most);
    expect((await reads.rows()) - before, q).toBeLessThan(200);
  }
});

it('reads few records to list the files of one dataflow instance, however many it has', async () => {
  // The files of an archive that a job has unpacked: each was written and read.
  await db.raw(
    recordsSql
      .replace("'flow-' || n", "'archive'")
      .replace(/CASE WHEN n % 6 = 0 THEN 'engine' ELSE '\/inbox\/' \|\| n END/u, "'/out/' || n / 2")
      .replace(`generate_series(1, ${recordCount})`, `generate_series(${recordCount + 1}, ${recordCount + 20_000})`),
  );
  await db.raw('VACUUM (ANALYZE) audit.records');
  const list = createKnexRecordList(db);
  for (const q of ['{dfiid="archive"}', '{virtualFileSystem="partners"}', '']) {
    for (let cursor: string | undefined = '', page = 0; page < 3; page += 1) {
      const query = {
        page: '0',
        limit: '100',
        sort: '-auditTime',
        files: 'true',
        ...(q && { q }),
        ...(cursor && { cursor }),
      };
      const before = await reads.rows();
      const { records, nextCursor } = await list.list(listAuditRecordsEndpoint.query.parse(query));
      expect(new Set(records.map(({ entityName }) => entityName)).size, q).toBe(100);
      expect((await reads.rows()) - before, q).toBeLessThan(1_000);
      cursor = nextCursor;
    }
  }
});

it('reads the records of one file a few times, whatever of it matches', async () => {
  const [older, newer] = [recordCount + 20_001, recordCount + 24_000];
  // Half of the records, all of them older than the others, come from another address.
  await db.raw(
    recordsSql
      .replace("'flow-' || n", "'busy'")
      .replace(/CASE WHEN n % 6 = 0 THEN 'engine' ELSE '\/inbox\/' \|\| n END/u, "'/in/busy'")
      .replace("'192.0.2.1'", `CASE WHEN n < ${(older + newer) / 2} THEN '192.0.2.7' ELSE '192.0.2.1' END`)
      .replace(`generate_series(1, ${recordCount})`, `generate_series(${older}, ${newer})`),
  );
  await db.raw('VACUUM (ANALYZE) audit.records');
  const list = createKnexRecordList(db);
  const query = listAuditRecordsEndpoint.query.parse({
    page: '0',
    limit: '10',
    files: 'true',
    q: '{address="192.0.2.7"}',
  });
  const before = await reads.rows();
  expect((await list.list(query)).records).toHaveLength(1);
  expect(await list.count(query)).toBe(1);
  expect((await reads.rows()) - before).toBeLessThan(20_000);
});

it('reads few records to list the newest files by a name that renames gave them, whether or not something has happened since', async () => {
  const begin = recordCount + 100_000;
  // Two files in turn: one is renamed and read, the other one is renamed.
  const kind = `CASE WHEN n % 2 = 0 THEN 'AUD0040A' ELSE 'AUD0042A' END, 'SERVER_RENAME_FILE'`;
  const path = `'/in/' || n / 2 || '.part'`;
  const newPath = `CASE WHEN n / 2 % 2 = 0 THEN '/in/report.csv' ELSE '/in/still.csv' END`;
  await db.raw(
    recordsSql
      .replace("'flow-' || n", "'renamed-' || n / 2")
      .replace("'AUD0041A', 'SERVER_UPLOAD_FILE'", kind)
      .replace(
        /CASE WHEN n % 6 = 0 THEN 'engine' ELSE '\/inbox\/' \|\| n END/u,
        `CASE WHEN n % 2 = 0 THEN ${path} WHEN n / 2 % 2 = 0 THEN '/in/report.csv' ELSE '/in/other.csv' END`,
      )
      .replace(
        /CASE WHEN n % 6 = 0 THEN 'User.*/u,
        `'Server rename file from ' || ${path} || ' FilesetId ' || n || ' to ' || ${newPath} || ' FilesetId ' || n,`,
      )
      .replace(`generate_series(1, ${recordCount})`, `generate_series(${begin}, ${begin + 9_999})`),
  );
  for (const code of ['AUD0040A', 'AUD0042A']) await reads.addKind(code, 'SERVER_RENAME_FILE');
  await db.raw('VACUUM (ANALYZE) audit.records');
  const list = createKnexRecordList(db);
  for (const [q, code] of [
    ['{fileName="report.csv"}', 'AUD0042A'],
    ['{filePath="/in/report.csv"}', 'AUD0042A'],
    ['{fileName="still.csv"}', 'AUD0040A'],
    ['{filePath="/in/still.csv",virtualFileSystem="partners"}', 'AUD0040A'],
  ] as const)
    for (const sort of ['-auditTime', '+auditTime'])
      for (let cursor: string | undefined = '', page = 0; page < 3; page += 1) {
        const query = { page: '0', limit: '10', sort, files: 'true', q, ...(cursor && { cursor }) };
        const before = await reads.rows();
        const { records, nextCursor } = await list.list(listAuditRecordsEndpoint.query.parse(query));
        expect(
          records.filter(({ auditCode }) => auditCode === code),
          q,
        ).toHaveLength(10);
        expect((await reads.rows()) - before, `${q} ${sort}`).toBeLessThan(200);
        cursor = nextCursor;
      }
});

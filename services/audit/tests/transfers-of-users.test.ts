import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import { expect, it } from 'vitest';
import { openCountedReads } from './counted-reads.ts';
import { createRecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

const transfersOf = 'SELECT transfer, sequence::int, path FROM audit.transfers_of(?, ?, 0, ?)';

interface TransferRow {
  readonly transfer: boolean;
  readonly sequence: number;
  readonly path: string | null;
}

const placed = { virtualFileSystem: 'partners', fileSize: 3 };
/** What a transfer in a session has, what a job has that writes or reads a file, and what an early release has recorded. */
const contexts: readonly (AuditContext | undefined)[] = [
  { ...placed, address: '192.0.2.1', session: 's1' },
  placed,
  { ...placed, session: 's2' },
  undefined,
];

it('what jobs read and wrote is no transfer of the user, also after sessions were erased', async () => {
  await using rig = await createRecordRig();
  const events = someEvents(contexts.length, 'moved').map(({ id, payload: { context: _context, ...rest } }, index) => {
    const context = contexts[index];
    return { id, payload: { ...rest, ...(context && { context }) } };
  });
  await rig.append(events);
  const listed = async () => {
    const { rows } = await rig.db.raw<{ rows: TransferRow[] }>(transfersOf, ['acme', 'infinity', 10]);
    return new Set(rows.map(({ path }) => path));
  };
  const own = new Set(['/inbox/moved-3.csv', '/inbox/moved-2.csv', '/inbox/moved-0.csv']);
  expect(await listed()).toEqual(own);
  await rig.db.raw(`SELECT audit.redact('{1,2,3,4}', '{session,address,virtualFileSystem,client}')`);
  const { rows } = await rig.db.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM audit.records WHERE context -> 'session' IS NOT NULL OR virtual_file_system IS NOT NULL`,
  );
  expect(rows).toEqual([]);
  expect(await listed()).toEqual(own);
});

it('a page among the files of jobs reads no more than 10,000 records of the user, by their index', async () => {
  await using reads = await openCountedReads();
  const { db } = reads;
  await db.raw(`
    INSERT INTO audit.records (sequence, id, correlation_id, cluster_id, node_id, module, audit_code, audit_operation,
      dataone_user, entity_type, entity_name, entity_id, audit_message, audit_time, dfiid, virtual_file_system, context,
      salt, recorded_at, hash)
    SELECT n, gen_random_uuid(), gen_random_uuid(), 'ENGINE', 'peer1', 'manager1 AUDIT', 'AUD0041A', 'SERVER_UPLOAD_FILE',
      CASE WHEN n % 2 = 0 THEN 'acme' ELSE 'globex' END, 'File', '/outbox/' || n, n::text, 'Server upload file',
      timestamptz '2026-01-01 00:00Z' + n * interval '1 second', 'flow-' || n, 'partners',
      CASE WHEN n = 2 THEN jsonb_build_object('session', 's1') ELSE jsonb_build_object('fileSize', n) END, '', now(),
      sha256(int8send(n))
    FROM generate_series(1, 30000) AS n`);
  await db.raw('VACUUM (ANALYZE) audit.records');
  const page = async (before: string) => {
    const earlier = await reads.rows();
    const { rows } = await db.raw<{ rows: TransferRow[] }>(transfersOf, ['acme', before, 10]);
    // Those of the page, and those up to the place where the next one begins.
    expect((await reads.rows()) - earlier).toBeLessThan(20_100);
    return rows;
  };
  const [end, ...others] = await page('infinity');
  expect([end, others]).toEqual([{ transfer: false, sequence: 10_002, path: null }, []]);
  expect(await page('2026-01-01T02:46:42Z')).toEqual([{ transfer: true, sequence: 2, path: '/outbox/2' }]);
});

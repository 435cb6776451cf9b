import { hash, randomBytes } from 'node:crypto';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { expect, it } from 'vitest';
import { readRecordRange } from '../src/adapters/read-records.ts';
import { stageRecords } from '../src/adapters/stage-records.ts';
import { auditSchema } from '../src/audit-schema.ts';
import { extendLog } from '../src/domain/records/extend-log.ts';
import { leafText } from '../src/domain/records/leaf-text.ts';
import { nilId, type StoredRecord } from '../src/domain/records/log-record.ts';
import { commitmentsOf } from '../src/domain/records/personal-fields.ts';
import { someEvents } from './some-events.ts';

it('the migration keeps the leaves of records whose salts were derived, redacted ones as well', async () => {
  await using database = await createTestDatabase({ name: 'audit_salts', prepare: prepareBefore });
  const db = connectPostgres({ url: database.url, applicationName: 'audit test' });
  try {
    const records = extendLog({ size: 0, lastId: nilId }, someEvents(9), new Date()).records.map(withDerivedSalts);
    await db.transaction((trx) =>
      stageRecords(
        trx,
        records.map(({ stored }) => stored),
      )(),
    );
    await db.raw("SELECT audit.redact(ARRAY[3, 4, 6], '{dataoneUser,address}')");
    await db.raw(
      "SELECT audit.redact(ARRAY[4], '{auditMessage,dataoneUser,entityId,entityName,address,virtualFileSystem}')",
    );
    await migrate(db, auditSchema);
    await db.raw("SELECT audit.redact(ARRAY[2, 6], '{entityName,port}')");

    const found: StoredRecord[] = [];
    for await (const batch of readRecordRange(db, { first: 1, last: 9 })) found.push(...batch);
    expect(found.map(leafText)).toEqual(records.map(({ leaf }) => leaf));
    const erased = found.map(({ commitments }) => Object.keys(commitments ?? {}).length);
    expect(erased).toEqual([0, 1, 2, 4, 0, 4, 0, 0, 0]);
    const left = found.map((record) => Object.keys(commitmentsOf(record)).length - (erased[record.sequence - 1] ?? 0));
    expect(found.map(({ salt }) => salt?.length)).toEqual(left.map((count) => count * 32));
  } finally {
    await db.destroy();
  }
});

/** A record as it was stored before the migration, and its leaf. */
function withDerivedSalts(record: StoredRecord): { stored: StoredRecord; leaf: string } {
  const salt = randomBytes(16).toString('hex');
  const salts = Object.keys(commitmentsOf(record)).map((name) => hash('sha256', salt + name, 'hex').slice(0, 32));
  return { stored: { ...record, salt }, leaf: leafText({ ...record, salt: salts.join('') }) };
}

async function prepareBefore(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'prepare' });
  try {
    await migrate(db, outboxSchema);
    await migrate(db, { ...auditSchema, migrations: auditSchema.migrations.slice(0, 8) });
  } finally {
    await db.destroy();
  }
}

import { hash } from 'node:crypto';
import { copiedRecord, copiedRecordSql } from '@waybill/audit/adapters/copied-record';
import { exportLine, leafText } from '@waybill/audit/domain/records/leaf-text';
import type { StoredRecord } from '@waybill/audit/domain/records/log-record';
import { commitmentsOf } from '@waybill/audit/domain/records/personal-fields';
import { readCopied } from '@waybill/postgres/read-copied';
import type { BenchLog } from '../log/open-bench-log.ts';

const sampleSize = 20_000;

/**
 * What reading the whole log cannot do without, each alone in one thread: PostgreSQL's rows as texts, the SHA-256 of each
 * commitment and leaf, and for comparison `JSON.parse` of the same records as lines of an export.
 */
export async function measureFloors({ db }: BenchLog, print: (line: string) => void): Promise<void> {
  const query = `${copiedRecordSql} WHERE sequence <= ${sampleSize} ORDER BY sequence`;
  const records = (await readCopied(db, query)).map(copiedRecord);
  const hashed = records.flatMap(hashedTexts);
  const lines = records.map(exportLine);
  const floors = [
    ['rows out of PostgreSQL', async () => void (await readCopied(db, query))],
    ['SHA-256 of commitments and leaves', async () => hashed.forEach((text) => void hash('sha256', text, 'hex'))],
    ['JSON.parse of export lines', async () => lines.forEach((line) => void JSON.parse(line))],
  ] as const;
  for (const [name, run] of floors) {
    await run();
    const own = process.cpuUsage();
    const startedAt = performance.now();
    await run();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(own);
    const each = ((user + system) / sampleSize).toFixed(1);
    print(`alone, one thread: ${name}: ${(sampleSize / seconds).toFixed(0)} records/s; Node ${each} us each`);
  }
}

/** Texts as long as those that the verification hashes for a record, and as many. */
function hashedTexts(record: StoredRecord): string[] {
  const values: Readonly<Record<string, unknown>> = { ...record, ...record.context };
  const commitments = Object.keys(commitmentsOf(record)).map((name) =>
    JSON.stringify({ name, salt: '0'.repeat(32), value: values[name] }),
  );
  return [...commitments, leafText(record)];
}

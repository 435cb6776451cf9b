import { z } from 'zod';
import type { PlatformProcess } from '../platform-process.ts';
import type { DoorName, Row } from './row.ts';

const recordSchema = z.object({
  auditCode: z.string(),
  auditOperation: z.string(),
  dataoneUser: z.string(),
  entityType: z.string(),
  // Absent if it was erased.
  entityName: z.string().default(''),
  context: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  producer: z
    .object({ id: z.string(), number: z.int(), settled: z.int(), voided: z.array(z.int()).optional() })
    .optional(),
});

/** A record as the export has it. */
export type ExportedRecord = z.infer<typeof recordSchema>;

/** Reads the whole audit log. */
export async function readRecords(platform: PlatformProcess, bearer: string): Promise<ExportedRecord[]> {
  const { text } = await platform.http().get('/platform-application/api/v1/audit/export', { bearer });
  const lines: unknown[] = text
    .split('\n')
    .filter((line) => line.startsWith('{"audit'))
    .map((line): unknown => JSON.parse(line));
  return z.array(recordSchema).parse(lines);
}

/** The processes that make the records of a door. The records that the audit log has of itself have no producer. */
const producers: Readonly<Record<DoorName, RegExp>> = {
  sftp: /^sftp-gateway\//u,
  http: /^http-files\//u,
  management: /^(?:$|job-manager\/|sftp-gateway\/|audit\/)/u,
  'command line': /^cli\//u,
  platform: /^/u,
};

/** The records of a row: one if all is well. */
export function recordsOf(
  { door, expected: { context, outcome, ...expected } }: Row,
  records: readonly ExportedRecord[],
): ExportedRecord[] {
  return records.filter(
    (record) =>
      Object.entries(expected).every(([name, value]) =>
        Object.entries(record).some(([known, found]) => known === name && found === value),
      ) &&
      record.context['outcome'] === outcome &&
      producers[door].test(record.producer?.id ?? '') &&
      isOfMethod(record, context),
  );
}

/** Several logins of a user differ only in how they authenticate. */
function isOfMethod({ context }: ExportedRecord, expected: Row['expected']['context']): boolean {
  const method = expected?.['authentication'];
  return method === undefined || context['authentication'] === method;
}

import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { z } from 'zod';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { RequestFailure } from '../../api/request-failure.ts';
import { texts } from '../../texts/texts.ts';
import { type JsonObject, parseObject } from '../proof/canonical-json.ts';
import type { KeyValidity } from '../proof/checkpoint.ts';
import { expressionOf } from '../search/audit-filters.ts';

const endSchema = z.object({
  validity: z.array(z.object({ key: z.string(), from: z.number(), to: z.number().nullable() })),
});

/** Records with everything that is hashed, in the order of the log, and the keys of the log. */
export interface ProvableRecords {
  readonly records: readonly JsonObject[];
  readonly keys: readonly KeyValidity[];
}

/** A record with everything that is hashed, and the keys of the log. */
export interface ProvableRecord {
  readonly record: JsonObject;
  readonly keys: readonly KeyValidity[];
}

/** Reads the records that match filters as an export has them: there should not be many. @throws RequestFailure */
export async function readRecords(
  filters: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ProvableRecords> {
  const query = { format: 'ndjson', q: expressionOf(filters) } as const;
  const text = await callEndpoint(exportAuditRecordsEndpoint, { query, signal });
  const lines = text.trimEnd().split('\n');
  // Without the last line the export has broken off.
  const { validity } = endSchema.parse(JSON.parse(lines.at(-1) ?? ''));
  return { records: lines.slice(0, -1).map(parseObject), keys: validity };
}

/** Reads one record. @throws RequestFailure */
export async function readRecord(id: string, signal: AbortSignal): Promise<ProvableRecord> {
  const { records, keys } = await readRecords({ id }, signal);
  const [record] = records;
  if (record === undefined) throw new RequestFailure(404, texts.audit.noRecord(id));
  return { record, keys };
}

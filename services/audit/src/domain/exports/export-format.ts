import type { AuditExportFormat } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { exportLine } from '../records/leaf-text.ts';
import type { StoredRecord } from '../records/log-record.ts';
import { cefEnd, cefLine } from './cef-line.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import type { ExportEnd } from './event-facts.ts';
import { ocsfEnd, ocsfLine } from './ocsf-line.ts';

/** Writes records as lines, with their newlines. */
export interface ExportFormat {
  readonly header: string;
  line(record: StoredRecord): string;
  end(end: ExportEnd): string;
}

/** The formats of an export. CSV has no room for a checkpoint. */
export const exportFormats: Readonly<Record<AuditExportFormat, ExportFormat>> = {
  ndjson: {
    header: '',
    line: (record) => `${exportLine(record)}\n`,
    end: ({ validity, ...end }) => `${JSON.stringify({ ...end, keys: validity.map(({ key }) => key), validity })}\n`,
  },
  csv: { header: csvHeader, line: csvLine, end: () => '' },
  cef: { header: '', line: cefLine, end: cefEnd },
  ocsf: { header: '', line: ocsfLine, end: ocsfEnd },
};

import type { AuditExportFormat } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { exportLine } from '../records/leaf-text.ts';
import type { StoredRecord } from '../records/log-record.ts';
import { cefEnd, cefLine } from './cef-line.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import { ocsfEnd, ocsfLine } from './ocsf-line.ts';

/** What an export ends with: the checkpoint that covers its records, and the keys of the log. */
export interface ExportEnd {
  readonly checkpoint: string;
  readonly keys: readonly string[];
  /** The filter of the export, as it was given; absent if it has all records. */
  readonly filter?: string | undefined;
}

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
    end: (end) => `${JSON.stringify({ checkpoint: end.checkpoint, keys: end.keys, filter: end.filter })}\n`,
  },
  csv: { header: csvHeader, line: csvLine, end: () => '' },
  cef: { header: '', line: cefLine, end: cefEnd },
  ocsf: { header: '', line: ocsfLine, end: ocsfEnd },
};

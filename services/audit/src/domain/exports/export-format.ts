import type { AuditExportFormat } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { exportLine } from '../records/leaf-text.ts';
import type { StoredRecord } from '../records/log-record.ts';
import { cefEnd, cefLine } from './cef-line.ts';
import { csvHeader, csvLine } from './csv-line.ts';
import { ocsfEnd, ocsfLine } from './ocsf-line.ts';

/** A verifier key, and the sizes of the tree that it signs. */
export interface KeyValidity {
  readonly key: string;
  readonly from: number;
  /** `null` for the key that signs now. */
  readonly to: number | null;
}

/** A checkpoint with its cosignatures, and the proof that the log of the export continues it. */
export interface CosignedProof {
  readonly checkpoint: string;
  /** Base64. */
  readonly proof: readonly string[];
}

/** What an export ends with: the checkpoint that covers its records, the keys of the log, and what witnesses cosigned. */
export interface ExportEnd {
  readonly checkpoint: string;
  readonly validity: readonly KeyValidity[];
  readonly cosigned: readonly CosignedProof[];
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
    end: ({ checkpoint, validity, cosigned, filter }) =>
      `${JSON.stringify({ checkpoint, keys: validity.map(({ key }) => key), validity, cosigned, filter })}\n`,
  },
  csv: { header: csvHeader, line: csvLine, end: () => '' },
  cef: { header: '', line: cefLine, end: cefEnd },
  ocsf: { header: '', line: ocsfLine, end: ocsfEnd },
};

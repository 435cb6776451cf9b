import { exportFormats } from '../exports/export-format.ts';
import type { StoredRecord } from '../records/log-record.ts';

/** How a record is written. */
export type MessageFormat = 'json' | 'cef';

/** A record as one line of text. */
export interface MessageText {
  readonly text: string;
  /** It was too long: only the fields that identify the record are left. */
  readonly isShortened: boolean;
}

/**
 * A record as JSON, as in an export, or as an event in the Common Event Format; without a newline. A record whose text has more
 * bytes than allowed is shortened to what identifies it: the whole record can be read in the audit log.
 */
export function messageText(record: StoredRecord, format: MessageFormat, bytesAtMost: number): MessageText {
  const text = lineOf(record, format);
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesAtMost) return { text, isShortened: false };
  return { text: shortened(record, format, bytes), isShortened: true };
}

function lineOf(record: StoredRecord, format: MessageFormat): string {
  return exportFormats[format === 'json' ? 'ndjson' : 'cef'].line(record).trimEnd();
}

function shortened(record: StoredRecord, format: MessageFormat, bytes: number): string {
  const { auditCode, auditOperation, auditTime, hash, id, sequence } = record;
  if (format === 'json')
    return JSON.stringify({ auditCode, auditOperation, auditTime, hash, id, sequence, shortenedFrom: bytes });
  const [entityType, context] = ['', record.context.outcome === undefined ? {} : { outcome: record.context.outcome }];
  const auditMessage = `Shortened: the record has ${bytes} bytes`;
  const empty = { dataoneUser: '', entityName: '', entityId: '', dfiid: null, nodeId: '' };
  return lineOf({ ...record, ...empty, entityType, context, auditMessage }, 'cef');
}

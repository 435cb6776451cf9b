import type { StoredRecord } from '../records/log-record.ts';
import { escapeControls } from './escape-controls.ts';

const columns: readonly (readonly [
  name: string,
  value: (record: StoredRecord) => string | number | null | undefined,
])[] = [
  ['sequence', ({ sequence }) => sequence],
  ['id', ({ id }) => id],
  ['correlationId', ({ correlationId }) => correlationId],
  ['auditTime', ({ auditTime }) => auditTime],
  ['recordedAt', ({ recordedAt }) => recordedAt],
  ['clusterId', ({ clusterId }) => clusterId],
  ['nodeId', ({ nodeId }) => nodeId],
  ['module', ({ module }) => module],
  ['auditCode', ({ auditCode }) => auditCode],
  ['auditOperation', ({ auditOperation }) => auditOperation],
  ['dataoneUser', ({ dataoneUser }) => dataoneUser],
  ['entityType', ({ entityType }) => entityType],
  ['entityName', ({ entityName }) => entityName],
  ['entityId', ({ entityId }) => entityId],
  ['auditMessage', ({ auditMessage }) => auditMessage],
  ['dfiid', ({ dfiid }) => dfiid],
  ['address', ({ context }) => context.address],
  ['port', ({ context }) => context.port],
  ['virtualFileSystem', ({ context }) => context.virtualFileSystem],
  ['client', ({ context }) => context.client],
  ['session', ({ context }) => context.session],
  ['outcome', ({ context }) => context.outcome],
  ['reason', ({ context }) => context.reason],
  ['hash', ({ hash }) => hash],
  ['fileSize', ({ context }) => context.fileSize],
  ['fileHash', ({ context }) => context.fileHash],
  ['apiKey', ({ context }) => context.apiKey],
];

/** The first line of an export as CSV (RFC 4180). */
export const csvHeader = `${columns.map(([name]) => name).join(',')}\r\n`;

/** A record as a line of CSV. */
export function csvLine(record: StoredRecord): string {
  return `${columns.map(([, value]) => cell(value(record))).join(',')}\r\n`;
}

/**
 * Spreadsheets run a text that begins with one of these characters as a formula, also after white space: an apostrophe before
 * it makes it a text.
 */
const formula = /^\s*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u;

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const escaped = escapeControls(value);
  const text = formula.test(escaped) ? `'${escaped}` : escaped;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { hasFailed } from '../exports/event-facts.ts';
import type { StoredRecord } from '../records/log-record.ts';
import { messageText, type MessageFormat } from './message-text.ts';

/** How syslog messages are written. */
export interface SyslogOptions {
  readonly format: MessageFormat;
  /** RFC 5424, section 6.2.1; 13 is "log audit". */
  readonly facility: number;
  /** Of a whole message. */
  readonly bytesAtMost: number;
}

/** A message with the number of its bytes before it (octet counting: RFC 6587, section 3.4.1, and RFC 5425, section 4.3). */
export interface SyslogFrame {
  readonly bytes: Buffer;
  readonly isShortened: boolean;
}

/** RFC 5424, section 6.2.1. */
const severities = { failed: 4, succeeded: 6 } as const;

/** The largest `sequenceId` (RFC 5424, section 7.3.1); 1 follows. */
const sequenceIdsAtMost = 2_147_483_647;

/**
 * A record as a syslog message (RFC 5424). The structured data has registered elements only (section 7), which need no
 * enterprise number: `meta` with the number of the record, and `origin`. The text is in UTF-8, without a byte order mark.
 */
export function syslogFrame(record: StoredRecord, { format, facility, bytesAtMost }: SyslogOptions): SyslogFrame {
  const priority = facility * 8 + severities[hasFailed(record) ? 'failed' : 'succeeded'];
  const sequenceId = ((record.sequence - 1) % sequenceIdsAtMost) + 1;
  const header = [
    `<${priority}>1`,
    timestamp(record.auditTime),
    name(record.nodeId, 255),
    'waybill',
    '-',
    name(record.auditCode, 32),
    `[meta sequenceId="${sequenceId}"][origin software="Waybill"]`,
  ].join(' ');
  const { text, isShortened } = messageText(record, format, bytesAtMost - header.length - 1);
  const message = Buffer.from(`${header} ${text}`);
  return { bytes: Buffer.concat([Buffer.from(`${message.length} `), message]), isShortened };
}

/** RFC 3339 with at most 6 digits of a second; a manipulated time in the log is no time. */
function timestamp(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u.test(time) ? time : '-';
}

/** Printable ASCII without blanks; `-` for nothing. */
function name(text: string, charactersAtMost: number): string {
  return text.replaceAll(/[^\u0021-\u007e]/gu, '_').slice(0, charactersAtMost) || '-';
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSyslog, splitFrames } from '../../../tests/parse-syslog.ts';
import { someEvents } from '../../../tests/some-events.ts';
import type { StoredRecord } from '../records/log-record.ts';
import { syslogFrame, type SyslogOptions } from './syslog-message.ts';

const options: SyslogOptions = { format: 'json', facility: 13, bytesAtMost: 8_192 };

function record(overrides: Partial<StoredRecord> = {}): StoredRecord {
  const [event] = someEvents(1);
  if (!event) throw new Error('no event');
  const { payload, id } = event;
  return {
    ...payload,
    id,
    sequence: 1,
    correlationId: id,
    context: {},
    producer: null,
    salt: '00',
    commitments: null,
    recordedAt: payload.auditTime,
    previousHash: null,
    hash: 'ab',
    ...overrides,
  };
}

const messageOf = (stored: StoredRecord, changed: Partial<SyslogOptions> = {}) => {
  const { bytes, isShortened } = syslogFrame(stored, { ...options, ...changed });
  const { messages, rest } = splitFrames(bytes);
  expect([messages.length, rest.length]).toEqual([1, 0]);
  return { ...parseSyslog(messages[0] ?? Buffer.alloc(0)), bytes: messages[0]?.length ?? 0, isShortened };
};

describe('a syslog message', () => {
  it('has the fields of RFC 5424, and registered structured data only', () => {
    const stored = record({ sequence: 7 });
    expect(messageOf(stored)).toMatchObject({
      facility: 13,
      severity: 6,
      timestamp: stored.auditTime,
      hostName: 'peer1',
      appName: 'waybill',
      procId: '-',
      msgId: record().auditCode,
      data: { meta: { sequenceId: '7' }, origin: { software: 'Waybill' } },
      isShortened: false,
    });
    expect(messageOf(record({ context: { outcome: 'failure' } }), { facility: 4 })).toMatchObject({
      facility: 4,
      severity: 4,
    });
    expect(messageOf(record({ sequence: 2_147_483_647 })).data['meta']).toEqual({ sequenceId: '2147483647' });
    expect(messageOf(record({ sequence: 2_147_483_648 })).data['meta']).toEqual({ sequenceId: '1' });
  });

  it('is one valid frame whatever the record contains, and is never larger than allowed', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 }).map((value) => value.toWellFormed());
    const values = fc.record({ entityName: text, nodeId: text, auditMessage: text, auditTime: text, auditCode: text });
    fc.assert(
      fc.property(
        values,
        fc.constantFrom('json', 'cef'),
        fc.integer({ min: 2_048, max: 4_000 }),
        (given, format, most) => {
          const message = messageOf(record(given), { format, bytesAtMost: most });
          expect(message.bytes).toBeLessThanOrEqual(most);
          expect(message.text).not.toMatch(/[\r\n]/u);
          if (format === 'json') expect(JSON.parse(message.text)).toMatchObject({ sequence: 1 });
        },
      ),
    );
  });

  it.each(['json', 'cef'] as const)('as %s that would be too large has what identifies the record', (format) => {
    const { text, isShortened, bytes } = messageOf(record({ entityName: 'x'.repeat(9_000) }), { format });
    expect(isShortened).toBe(true);
    expect(bytes).toBeLessThan(2_048);
    expect(text).toContain(record().auditCode);
    expect(text).not.toContain('xxx');
  });
});

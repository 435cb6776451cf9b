import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someEvents } from '../../../tests/some-events.ts';
import { canonicalJson, type JsonValue } from '../canonical-json.ts';
import { extendLog } from './extend-log.ts';
import { exportLine, leafText } from './leaf-text.ts';
import { nilId, type StoredRecord } from './log-record.ts';

const [first] = extendLog({ size: 0, lastId: nilId }, someEvents(1), new Date()).records as [StoredRecord];

describe('a leaf', () => {
  it('is canonical JSON, as is a line of an export, for any text in the record', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, isOfChain) => {
        const record = { ...first, dataoneUser: text, entityType: text, auditMessage: text };
        const chained = isOfChain ? { ...record, previousHash: 'ab'.repeat(32), recordedAt: null } : record;
        for (const line of [leafText(chained), exportLine(chained)])
          expect(line).toBe(canonicalJson(JSON.parse(line) as JsonValue));
      }),
    );
  });

  it('has no personal value, but changes with each of them', () => {
    const leaf = leafText(first);
    for (const name of ['auditMessage', 'dataoneUser', 'entityId', 'entityName', 'salt'] as const) {
      expect(JSON.parse(leaf)).not.toHaveProperty(name);
      expect(leafText({ ...first, [name]: 'other' })).not.toBe(leaf);
    }
  });

  it('has times as a database returns them: UTC with milliseconds', () => {
    const [event] = someEvents(1);
    const payload = { ...event!.payload, auditTime: '2026-03-14T09:26:53.123456Z' };
    const { records } = extendLog({ size: 0, lastId: nilId }, [{ id: event!.id, payload }], new Date());
    expect(records[0]?.auditTime).toBe('2026-03-14T09:26:53.123Z');
  });
});

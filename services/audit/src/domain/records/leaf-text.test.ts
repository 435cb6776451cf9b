import { existing } from '@waybill/test-kit/values/existing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { someEvents } from '../../../tests/some-events.ts';
import { canonicalJson, type JsonValue } from '../canonical-json.ts';
import { extendLog } from './extend-log.ts';
import { exportLine, leafText } from './leaf-text.ts';
import { nilId, redactedValue, type StoredRecord } from './log-record.ts';
import { commitmentsOf } from './personal-fields.ts';

const [first, , third] = extendLog({ size: 0, lastId: nilId }, someEvents(3), new Date()).records as [
  StoredRecord,
  StoredRecord,
  StoredRecord,
];
const personal = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'] as const;

describe('a leaf', () => {
  it('is canonical JSON, as is a line of an export, for any text in the record', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, isOfChain) => {
        const context = { zeta: text, client: text, port: 22, address: text };
        const producer = { id: text, number: 7, settled: 5, voided: [2, 1] };
        const record = { ...first, dataoneUser: text, entityType: text, auditMessage: text, context, producer };
        const chained = isOfChain
          ? { ...record, previousHash: 'ab'.repeat(32), recordedAt: null, context: {}, producer: null }
          : record;
        for (const line of [leafText(chained), exportLine(chained)])
          expect(line).toBe(canonicalJson(JSON.parse(line) as JsonValue));
      }),
    );
  });

  it('has no personal value, but changes with each of them', () => {
    const leaf = leafText(third);
    for (const name of [...personal, 'salt'] as const) {
      expect(JSON.parse(leaf)).not.toHaveProperty(name);
      expect(leafText({ ...third, [name]: 'other' })).not.toBe(leaf);
    }
    const { commitments } = JSON.parse(leaf) as { commitments: Record<string, string> };
    const members = ['address', 'client', 'fileHash', 'fileSize', 'port', 'session', 'virtualFileSystem'];
    expect(Object.keys(commitments)).toEqual([...personal, ...members].toSorted());
    for (const name of members)
      expect(leafText({ ...third, context: { ...third.context, [name]: 'other' } })).not.toBe(leaf);
    expect(new Set(Object.values(commitments)).size).toBe(11);
  });

  it('is the same after a redaction, of which a line of an export shows no value and no salt', () => {
    const { address: _address, ...context } = third.context;
    const all = commitmentsOf(third);
    const salts = third.salt?.match(/.{32}/gu) ?? [];
    const isErased = Object.keys(all).map((name) => ['address', 'dataoneUser'].includes(name));
    const erasedSalts = salts.filter((_, index) => isErased[index]);
    expect([salts.length, erasedSalts.length]).toEqual([11, 2]);
    const redacted: StoredRecord = {
      ...third,
      salt: salts.filter((_, index) => !isErased[index]).join(''),
      commitments: { dataoneUser: all['dataoneUser'] ?? '', address: all['address'] ?? '' },
      dataoneUser: redactedValue,
      context,
    };
    expect(leafText(redacted)).toBe(leafText(third));
    const line = exportLine(redacted);
    expect(line).toBe(canonicalJson(JSON.parse(line) as JsonValue));
    for (const hidden of [...erasedSalts, `"${third.dataoneUser}"`, redactedValue]) expect(line).not.toContain(hidden);
    expect(leafText({ ...redacted, dataoneUser: 'mallory', commitments: { address: all['address'] ?? '' } })).not.toBe(
      leafText(third),
    );
  });

  it('has times as a database returns them: UTC with milliseconds', () => {
    const [event] = someEvents(1);
    const payload = { ...existing(event).payload, auditTime: '2026-03-14T09:26:53.123456Z' };
    const { records } = extendLog({ size: 0, lastId: nilId }, [{ id: existing(event).id, payload }], new Date());
    expect(records[0]?.auditTime).toBe('2026-03-14T09:26:53.123Z');
  });
});

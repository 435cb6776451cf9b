import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../canonical-json.ts';
import type { ChainedRecord } from './chained-record.ts';
import { sha256, hashRecord } from './hash-record.ts';

const record: Omit<ChainedRecord, 'hash'> = {
  sequence: 7,
  id: '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f',
  correlationId: '019a9f3c-51c7-7a60-9d0e-1a2b3c4d5e6f',
  clusterId: 'ENGINE',
  nodeId: 'peer1',
  module: 'manager1 AUDIT',
  auditCode: 'AUD0041A',
  auditOperation: 'SERVER_UPLOAD_FILE',
  dataoneUser: 'zoë "the€" 𝄞\n',
  entityType: 'File',
  entityName: '/inbox/invoice.csv',
  entityId: '1042',
  auditMessage: 'Server upload file /inbox/invoice.csv FilesetId 1042',
  auditTime: '2026-03-14T09:26:53.589Z',
  dfiid: null,
  salt: '000102030405060708090a0b0c0d0e0f',
  previousHash: 'ab'.repeat(32),
};

describe('hashRecord', () => {
  it('never changes for a record that was once hashed', () => {
    expect(hashRecord(record)).toBe('db5788647d3e830a2a14dbf298c9dc479ceeccb6ac167a38304c8b6e1f488218');
  });

  it.each(Object.keys(record) as (keyof typeof record)[])('covers %s', (field) => {
    const value = field === 'sequence' ? 8 : `${record[field]}0`;
    expect(hashRecord({ ...record, [field]: value })).not.toBe(hashRecord(record));
  });

  it('hashes canonical JSON, for any values of the fields', () => {
    const text = fc.string({ unit: 'grapheme' });
    const anyTexts = fc.record({ dataoneUser: text, entityName: text, entityType: text, nodeId: text, module: text });
    fc.assert(
      fc.property(anyTexts, fc.option(text), fc.maxSafeNat(), (texts, dfiid, sequence) => {
        const any = { ...record, ...texts, dfiid, sequence };
        const { auditMessage, dataoneUser, entityId, entityName, salt, ...rest } = any;
        const personalHash = sha256(canonicalJson({ auditMessage, dataoneUser, entityId, entityName, salt }));
        expect(hashRecord(any)).toBe(sha256(canonicalJson({ ...rest, personalHash, version: 1 })));
      }),
    );
  });

  it('distinguishes an absent dataflow from one that is called null', () => {
    expect(hashRecord({ ...record, dfiid: 'null' })).not.toBe(hashRecord(record));
  });
});

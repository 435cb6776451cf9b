import { describe, expect, it } from 'vitest';
import { composeAuditEvent } from './audit-catalogue.ts';
import { auditEventSchema } from './audit-event.ts';

const event = composeAuditEvent('serverLogin', {
  user: 'acme',
  nodeId: 'peer1',
  managerName: 'manager1',
  entityType: 'Server',
  entityName: 'sftp',
  entityId: '1',
});

describe('an audit event', () => {
  it('of an earlier release has neither context nor producer', () => {
    expect(auditEventSchema.parse(event)).toEqual(event);
  });

  it('keeps members of its context that a newer release adds', () => {
    const context = { address: '192.0.2.1', port: 50_000, cipher: 'aes256-gcm', keyBits: 256 };
    const producer = { id: 'sftp-gateway/peer1/1f', number: 43, settled: 40, voided: [41] };
    expect(auditEventSchema.parse({ ...event, context, producer })).toEqual({ ...event, context, producer });
  });

  it.each([
    { dataoneUser: 'mallory' },
    { auditMessage: 'x' },
    { 'a b': 'x' },
    { '': 'x' },
    { ['x'.repeat(41)]: 'x' },
    { reason: {} },
    { bytes: 1.5 },
    { bytes: 2 ** 60 },
    { address: 1 },
  ])('refuses the context %j', (context) => {
    expect(auditEventSchema.safeParse({ ...event, context }).success).toBe(false);
  });

  it.each([
    { id: '', number: 1, settled: 0 },
    { id: 'x', number: 0, settled: 0 },
    { id: 'x', number: 1, settled: -1 },
    { id: 'x', number: 1 },
    { id: 'x', number: 1, settled: 0, voided: ['1'] },
  ])('refuses the producer %j', (producer) => {
    expect(auditEventSchema.safeParse({ ...event, producer }).success).toBe(false);
  });
});

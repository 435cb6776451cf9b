import { expect, test } from 'vitest';
import { auditCatalogue, composeAuditEvent, type AuditedFact } from './audit-catalogue.ts';
import { auditEventSchema } from './audit-event.ts';

const circumstances = {
  user: 'acme',
  nodeId: 'peer1',
  managerName: 'manager1',
  entityType: 'File',
  entityName: '/inbox/a.csv',
  entityId: '7',
  dfiid: 'flow',
};

test('an upload has the message of the interface', () => {
  const event = composeAuditEvent('fileUploaded', { ...circumstances, names: { path: '/inbox/a.csv', fileset: '7' } });
  expect(event).toMatchObject({
    clusterId: 'ENGINE',
    module: 'manager1 AUDIT',
    auditCode: 'AUD0041A',
    auditOperation: 'SERVER_UPLOAD_FILE',
    dataoneUser: 'acme',
    auditMessage: 'Server upload file /inbox/a.csv FilesetId 7',
    dfiid: 'flow',
  });
});

test('a name that holds a placeholder is not replaced again', () => {
  const event = composeAuditEvent('fileUploaded', { ...circumstances, names: { path: '/{user}', fileset: '7' } });
  expect(event.auditMessage).toBe('Server upload file /{user} FilesetId 7');
});

test('every fact has a unique code and creates a valid event', () => {
  const facts = Object.keys(auditCatalogue) as AuditedFact[];
  for (const fact of facts)
    expect(auditEventSchema.safeParse(composeAuditEvent(fact, circumstances)).success).toBe(true);
  expect(new Set(facts.map((fact) => auditCatalogue[fact].code)).size).toBe(facts.length);
});

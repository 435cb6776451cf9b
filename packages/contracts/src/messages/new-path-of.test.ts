import { expect, it } from 'vitest';
import { composeAuditEvent } from './audit-catalogue.ts';
import { newPathOf } from './new-path-of.ts';

function rename(path: string, newPath: string, fact: 'fileRenamed' | 'folderRenamed' = 'fileRenamed') {
  const { auditCode, entityName, entityId, auditMessage } = composeAuditEvent(fact, {
    user: 'acme',
    nodeId: 'peer1',
    managerName: 'manager1',
    entityType: 'File',
    entityName: path,
    entityId: '7',
    names: { path, fileset: '7', newPath, newFileset: '8' },
  });
  return { auditCode, entityName, entityId, auditMessage };
}

it('a rename has the path after it, whatever names contain', () => {
  for (const [path, newPath] of [
    ['/inbox/a.part', '/inbox/a.csv'],
    ['/a FilesetId 7 to /b', '/c FilesetId 9'],
    ['/$& {newPath}', '/{path} $1'],
    ['/a', '/a FilesetId 7 to /b FilesetId 8'],
  ] as const)
    for (const fact of ['fileRenamed', 'folderRenamed'] as const)
      expect(newPathOf(rename(path, newPath, fact))).toBe(newPath);
});

it('other records and erased values have none', () => {
  const record = rename('/a', '/b');
  for (const other of [
    { auditCode: 'AUD0041A' },
    { auditMessage: '[redacted]' },
    { entityName: '[redacted]' },
    { auditMessage: record.auditMessage.slice(0, -'/b FilesetId 8'.length) },
  ])
    expect(newPathOf({ ...record, ...other })).toBeUndefined();
});

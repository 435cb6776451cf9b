import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../parse-configuration.ts';

function configurationWith(grants: unknown, target = '/b'): unknown {
  const trigger = { type: 'NewFile', vfs: 'files', virtualPath: '/inbox' };
  return {
    manager: { name: 'manager1' },
    clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'SFTP' }] }],
    managerUsers: [{ name: 'admin', password: 'secret-of-admin', roles: ['Administrators'] }],
    workflowTemplates: [{ name: 'pack', steps: [{ name: 'one', uses: 'gzip', with: { source: '/a', target } }] }],
    actors: [
      {
        name: 'acme',
        type: 'Partner',
        virtualFileSystems: [{ name: 'files' }],
        contracts: [
          { name: 'orders', type: 'Mediation', actions: [{ name: 'pack', trigger, workflow: 'pack', grants }] },
        ],
      },
      { name: 'globex', type: 'Partner', virtualFileSystems: [{ name: 'globex-files' }] },
    ],
  };
}

function faultsOf(configuration: unknown): string[] {
  try {
    parseConfiguration(configuration);
    return [];
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    return error.fields.map(({ field, message }) => `${field}: ${message}`);
  }
}

const place = 'actors[0].contracts[0].actions[0].grants[0]';

describe('the grants of an action', () => {
  it('may name the VFS of another actor', () => {
    const granted = configurationWith(
      [{ vfs: 'globex-files', path: '/inbox', rights: ['upload'] }],
      'globex-files:/inbox/b',
    );
    expect(faultsOf(granted)).toEqual([]);
  });

  it.each([
    [
      { vfs: 'globex-file', rights: ['upload'] },
      `${place}.vfs: there is no VFS globex-file; did you mean globex-files?`,
    ],
    [{ vfs: 'files', rights: ['upload'] }, `${place}.vfs: the action works in the VFS files, where it needs no grant`],
    [{ vfs: 'globex-files', rights: ['own'] }, `${place}.rights[0]: `],
    [{ vfs: 'globex-files', rights: [] }, `${place}.rights: `],
    [{ vfs: 'globex-files' }, `${place}.rights: `],
    [{ vfs: 'globex-files', path: 'inbox', rights: ['list'] }, `${place}.path: must be an absolute path`],
    [{ vfs: 'globex-files', path: '/a/..', rights: ['list'] }, `${place}.path: The path is not valid`],
  ])('are checked: %j', (grant, fault) => {
    expect(faultsOf(configurationWith([grant])).join('\n')).toContain(fault);
  });

  it('are needed by the paths of its workflow', () => {
    const field = 'workflowTemplates[0].steps[0].with.target';
    expect(faultsOf(configurationWith([], 'globex-files:/inbox/b'))).toEqual([
      `${field}: the action orders/pack has no grant for the VFS globex-files`,
    ]);
    const readable = [{ vfs: 'globex-files', rights: ['download', 'list', 'delete'] }];
    expect(faultsOf(configurationWith(readable, 'globex-files:/inbox/b'))).toEqual([
      `${field}: the action orders/pack does not grant upload at /inbox/b of the VFS globex-files`,
    ]);
  });
});

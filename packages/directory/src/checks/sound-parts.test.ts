import { expect, it } from 'vitest';
import { contract, log, onDemand, push, step } from '../../tests/broken-documents.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { faultsOfSound, readStructure } from './check-document.ts';

/** The faults besides those of shape, in a platform on which others have these entities. */
function faultsAmong(others: readonly StoredEntity[], value: unknown): string[] {
  const { sound } = readStructure(value);
  if (!sound) throw new Error('nothing of it is sound');
  return faultsOfSound(sound, others).map(({ field, message }) => `${field}: ${message}`);
}

const stored = (entityType: StoredEntity['entityType'], definition: Record<string, unknown>): StoredEntity => ({
  entityType,
  id: '1',
  name: String(definition['name']),
  source: 'others',
  definition,
});

it('a configuration with errors of shape is checked with what others have', () => {
  const value = {
    queues: [{ name: 'slow', priority: 999 }],
    workflowTemplates: [
      {
        name: 'own',
        steps: [step(push), { name: 'two', workflow: 'shared' }, { name: 'three', workflow: 'sharde' }],
      },
    ],
    actors: [
      {
        name: 'acme',
        contracts: [
          contract('orders', { queue: 'theirs', actions: [onDemand('own'), onDemand('shared'), onDemand('none')] }),
        ],
      },
    ],
  };
  const others = [
    stored('Job Queue', { name: 'theirs' }),
    stored('Workflow Template', { name: 'shared', steps: [step(log)] }),
    stored('Internal User', { name: 'admin', roles: ['Administrators'] }),
    stored('Client Connection', {
      name: 'theirs',
      type: 'sftp',
      host: 'h',
      username: 'u',
      password: 'secret://p',
      hostKeys: [`SHA256:${'A'.repeat(43)}`],
    }),
    stored('Actor', { name: 'acme', type: 'Partner' }),
    stored('VFS', { name: 'files', actor: 'acme' }),
  ];
  expect(faultsAmong(others, value)).toEqual([
    expect.stringContaining('actors[0].contracts[0].actions[2].workflow: there is no workflow template none'),
    'workflowTemplates[0].steps[2].workflow: there is no workflow template sharde; did you mean shared?',
  ]);
  const taken = { ...value, actors: [{ name: 'acme', type: 'Partner' }], workflowTemplates: [] };
  expect(faultsAmong(others, taken)).toEqual([expect.stringContaining('actors[0].name: Actor acme belongs to ')]);
});

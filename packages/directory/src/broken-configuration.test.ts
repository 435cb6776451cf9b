import { describe, expect, it } from 'vitest';
import { acme, admin, contract, faultsOf, log, onDemand, push, step, whole } from '../tests/broken-documents.ts';
import { readStructure } from './checks/check-document.ts';

describe('a configuration with errors of shape', () => {
  it('has its unknown references reported with them, at the places of the document', () => {
    const wrong = {
      ...whole,
      queues: [{ name: 'slow', priority: 999 }],
      actors: [
        { name: 'ab cd', type: 'Partner' },
        {
          ...acme,
          nickname: 'x',
          accountPolicy: 'none',
          users: [{ name: 'ann', colour: 'red' }, ...acme.users],
          contracts: [
            contract('broken', { type: 'Nothing', queue: 'unread' }),
            contract('orders', { queue: 'non', actions: [onDemand('unpack')] }),
            contract('orders', {}),
          ],
        },
      ],
    };
    const faults = faultsOf(wrong);
    expect(faults).toEqual([
      expect.stringContaining('queues[0].priority: '),
      expect.stringContaining('actors[0].name: '),
      expect.stringContaining('actors[1].users[0].colour: unknown key'),
      expect.stringContaining('actors[1].contracts[0].type: '),
      expect.stringContaining('actors[1].nickname: unknown key'),
      'actors[1].contracts[2].name: the contract orders already exists at actors[1].contracts[1]',
      'actors[1].accountPolicy: there is no account policy none',
      'actors[1].contracts[1].queue: there is no queue non',
      'actors[1].contracts[1].actions[0].workflow: there is no workflow template unpack; did you mean pack?',
    ]);
  });

  const bad = { colour: 'red' };
  it.each<[string, object]>([
    ['a queue', { queues: [{ name: 'q', ...bad }], actors: [{ ...acme, contracts: [contract('c', { queue: 'q' })] }] }],
    ['a queue without a name', { queues: [bad], actors: [{ ...acme, contracts: [contract('c', { queue: 'q' })] }] }],
    [
      'queues that are no list',
      { queues: { q: {} }, actors: [{ ...acme, contracts: [contract('c', { queue: 'q' })] }] },
    ],
    [
      'queues under a wrong name',
      { queue: [{ name: 'q' }], actors: [{ ...acme, contracts: [contract('c', { queue: 'q' })] }] },
    ],
    [
      'a template',
      {
        workflowTemplates: [{ name: 'pack', steps: [step(log)], ...bad }],
        actors: [{ ...acme, contracts: [contract('c', {})] }],
      },
    ],
    [
      'a template that another one runs',
      {
        workflowTemplates: [
          { name: 'pack', steps: [step({ workflow: 'inner', with: { x: 1 } })] },
          { name: 'inner', input: {}, steps: [step(log)] },
        ],
      },
    ],
    [
      'a template whose inputs have errors',
      {
        workflowTemplates: [{ name: 'pack', inputs: { a: { defualt: 'x' } }, steps: [step(log)] }],
        actors: [
          {
            ...acme,
            contracts: [
              contract('c', {
                actions: [
                  onDemand('pack', { vfs: undefined, trigger: { type: 'NewFile', vfs: 'files', virtualPath: '/' } }),
                ],
              }),
            ],
          },
        ],
      },
    ],
    ['the administrator', { managerUsers: [{ ...admin, ...bad }] }],
    [
      'a role',
      { roles: [{ name: 'r', ...bad }], managerUsers: [admin, { name: 'b', password: 'secret-of-b', roles: ['r'] }] },
    ],
    [
      'a role that approves',
      {
        roles: [{ name: 'r', ...bad }],
        workflowTemplates: [
          { name: 'pack', steps: [step({ uses: 'wait-for-approval', with: { approvers: 'role:r', message: 'x' } })] },
        ],
      },
    ],
    [
      'an actor that a role names',
      {
        roles: [{ name: 'r', permissions: ['jobs:read'], actors: ['acme', 'globex'] }],
        actors: [
          { ...acme, type: 'Partnr' },
          { name: 'globex', typ: 'Partner' },
        ],
      },
    ],
    ['a policy', { accountPolicies: [{ name: 'p', ...bad }], actors: [{ ...acme, accountPolicy: 'p' }] }],
    [
      'a storage class',
      {
        storageClasses: [{ name: 's', type: 'nothing' }],
        actors: [{ ...acme, virtualFileSystems: [{ name: 'files', storageClass: 's' }] }],
      },
    ],
    [
      'a cluster, a VFS and a user',
      {
        clusters: [{ name: 'c', servers: [{ name: 's', protocol: 'FTP' }] }],
        actors: [
          {
            ...acme,
            users: [{ name: 'tom', groups: ['clerks'], ...bad }],
            virtualFileSystems: [{ name: 'files', ...bad }],
            connectionContracts: [
              {
                name: 'sftp',
                cluster: 'c',
                server: 's',
                clauses: [
                  { user: 'tom', vfs: 'files' },
                  { group: 'clerks', vfs: 'files' },
                ],
              },
            ],
          },
        ],
      },
    ],
    [
      'a VFS of an actor that has errors itself',
      {
        actors: [
          {
            ...acme,
            contracts: [
              contract('c', { actions: [onDemand('pack', { grants: [{ vfs: 'theirs', rights: ['read'] }] })] }),
            ],
          },
          { name: 'no name', virtualFileSystems: [{ name: 'theirs' }] },
        ],
      },
    ],
    [
      'a client connection',
      {
        workflowTemplates: [{ name: 'pack', steps: [step(push)] }],
        clientConnections: [{ name: 'theirs', type: 'sftpp' }],
        actors: [{ ...acme, contracts: [contract('c', {})] }],
      },
    ],
    [
      'a contract that a job is submitted to',
      {
        workflowTemplates: [
          { name: 'pack', steps: [step({ uses: 'submit-job', with: { contract: 'd', action: 'x' } })] },
        ],
        actors: [{ ...acme, contracts: [contract('c', {}), contract('d', bad)] }],
      },
    ],
  ])('says nothing of what refers to %s with errors', (_, more) => {
    const value = { ...whole, ...more };
    const { faults = [] } = readStructure(value);
    expect(faults).not.toHaveLength(0);
    expect(faultsOf(value)).toEqual(faults.map(({ field, message }) => `${field}: ${message}`));
  });

  it('is refused in bounded time and length with a great many objects with errors', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `q${index}`, colour: 'red' }));
    const contracts = Array.from({ length: 2_000 }, (_, index) => contract(`c${index}`, { queue: `q${index}` }));
    expect(faultsOf({ ...whole, queues: many, actors: [{ ...acme, contracts }] })).toHaveLength(1_001);
    const few = many.slice(0, 900);
    expect(faultsOf({ ...whole, queues: few, actors: [{ ...acme, contracts }] })).toHaveLength(1_001);
  });

  it.each([
    [{ source: 1 }],
    [{ ['__proto__']: [{}], ...whole, x: 1 }],
    [{ actors: [null, 'acme', [], { name: {} }] }],
    [{ actors: { acme } }],
    [{ managerUsers: [[], null], constructor: {} }],
  ])('says nothing wrong of %j', (value) => {
    const { faults = [] } = readStructure(value);
    expect(faultsOf(value).filter((fault) => !fault.includes('no enabled user'))).toEqual(
      faults.map(({ field, message }) => `${field}: ${message}`),
    );
  });
});

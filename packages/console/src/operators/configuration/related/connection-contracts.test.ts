import { describe, expect, it } from 'vitest';
import { type ConnectionContract, entriesOf, isFor } from './connection-contracts.ts';

const contract = (name: string, more: Partial<ConnectionContract>): ConnectionContract => ({
  name,
  source: null,
  enabled: true,
  cluster: 'cluster1',
  server: name,
  clauses: [{ user: 'ann', vfs: 'files', mountPath: '/' }],
  ...more,
});

describe('the places that a user finds', () => {
  it('are each there once, by a contract that is enabled, if there is one', () => {
    const ofGroup = { group: 'team', vfs: 'team-files', mountPath: '/team' };
    const contracts = [
      contract('off', { enabled: false, clauses: [{ user: 'ann', vfs: 'files', mountPath: '/' }, ofGroup] }),
      contract('web', {}),
      contract('sftp', { clauses: [{ user: 'bob', vfs: 'files', mountPath: '/bob' }] }),
    ];
    const found = entriesOf(contracts, (clause) => isFor(clause, { name: 'ann', groups: ['team'] }));
    expect(found.map(({ mountPath, contract: { name } }) => [mountPath, name])).toEqual([
      ['/', 'web'],
      ['/team', 'off'],
    ]);
  });
});

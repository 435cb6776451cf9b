import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { resources } from '@waybill/contracts/endpoints/administration/resource-table';
import { describe, expect, it } from 'vitest';
import { referencesOf, usesOf } from './references.ts';

const targetsOf = (resource: AdministeredResource, settings: Readonly<Record<string, unknown>>) =>
  referencesOf(resource, { name: 'one', actor: 'acme', source: null, ...settings }).map(
    ({ kind, name, actor }) => `${kind.collection}/${name}${actor === undefined ? '' : ` of ${actor}`}`,
  );

describe('what the settings of an object refer to', () => {
  it('is found in each action and clause, once', () => {
    const trigger = { type: 'NewFile', vfs: 'in-files' };
    const actions = [
      { trigger, workflow: 'pack' },
      { trigger, vfs: 'out-files', workflow: 'pack', grants: [{ vfs: 'other-files' }] },
    ];
    expect(targetsOf(resources.contracts, { queue: 'Default Queue', actions })).toEqual([
      'queues/Default Queue',
      'workflow-templates/pack',
      'virtual-file-systems/out-files',
      'virtual-file-systems/in-files',
      'virtual-file-systems/other-files',
    ]);
    const clauses = [
      { user: 'ann', vfs: 'files' },
      { group: 'team', vfs: 'files' },
    ];
    expect(targetsOf(resources['connection-contracts'], { cluster: 'cluster1', clauses })).toEqual([
      'clusters/cluster1',
      'users/ann',
      'groups/team of acme',
      'virtual-file-systems/files',
    ]);
  });

  it('is no name that a workflow takes from a variable, and each of several in a text', () => {
    const steps = [
      { with: { connection: '${{ variables.connection }}', recipients: 'ann, bob' } },
      { with: { connection: 'mail', keys: ['cid'] } },
      { with: 'no parameters' },
    ];
    expect(targetsOf(resources['workflow-templates'], { steps, finally: 'nothing' })).toEqual([
      'client-connections/mail',
      'pgp-keys/cid',
      'pgp-keys/ann',
      'pgp-keys/bob',
    ]);
  });

  it('is read by filters that their lists have', () => {
    for (const resource of Object.values(resources))
      for (const [collection, filter] of usesOf(resource)) {
        const source: AdministeredResource | undefined = Object.values(resources).find(
          (one) => one.collection === collection,
        );
        expect(
          source?.filters?.map(({ name }) => name),
          `${collection}: ${filter}`,
        ).toContain(filter);
      }
  });
});

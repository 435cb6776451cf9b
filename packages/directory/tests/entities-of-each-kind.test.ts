import { deleteEntity, putEntity } from '@waybill/directory/administration/write-entity';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { linesOf } from './lines-of.ts';
import { administratorOf, openTestPlatform } from './open-test-platform.ts';

it('an entity of each kind can be created, in the order of their references', async () => {
  await using stack = new AsyncDisposableStack();
  const platform = stack.adopt(await openTestPlatform(), (one) => one.close());
  const writer = administratorOf(platform);
  const put = (target: EntityTarget, settings: object) => putEntity(writer, target, { settings: () => settings });
  await platform.apply(demoPlatform());
  const vfs = { path: '/inbox', grants: [{ user: 'tom', permissions: ['list'] }] };
  const kinds: [EntityTarget, object][] = [
    [{ entityType: 'Actor', name: 'umbrella' }, { type: 'Partner' }],
    [{ entityType: 'External User', name: 'tom', actor: 'umbrella' }, {}],
    [
      { entityType: 'VFS', name: 'umbrella-files', actor: 'umbrella' },
      { folders: ['/inbox'], acl: [vfs] },
    ],
    [{ entityType: 'Cluster', name: 'cluster2' }, { servers: [{ name: 'sftp', protocol: 'SFTP' }] }],
    [
      { entityType: 'Connection Contract', name: 'sftp', actor: 'umbrella' },
      { cluster: 'cluster2', server: 'sftp', clauses: [{ user: 'tom', vfs: 'umbrella-files' }] },
    ],
    [{ entityType: 'Job Queue', name: 'Night' }, { priority: 2 }],
    [
      { entityType: 'Workflow Template', name: 'note' },
      { steps: [{ name: 'one', uses: 'write-file', with: { path: '/outbox/a', text: 'b' } }] },
    ],
    [
      { entityType: 'Contract', name: 'notes', actor: 'umbrella' },
      {
        type: 'Input',
        queue: 'Night',
        actions: [{ name: 'go', trigger: { type: 'OnDemand' }, vfs: 'umbrella-files', workflow: 'note' }],
      },
    ],
    [
      { entityType: 'Client Connection', name: 'umbrella-api', actor: 'umbrella' },
      { type: 'http', url: 'https://api.example.org' },
    ],
    [
      { entityType: 'Workflow Template', name: 'for-umbrella' },
      {
        steps: [
          { name: 'one', uses: 'submit-job', with: { contract: 'notes', action: 'go' } },
          { name: 'two', uses: 'http-request', with: { connection: 'umbrella-api', method: 'GET' } },
        ],
      },
    ],
    [
      { entityType: 'Internal User', name: 'auditor' },
      { roles: ['Auditors'], password: 'a long password' },
    ],
    [
      { entityType: 'Client Connection', name: 'mail' },
      { type: 'smtp', host: 'smtp.example.org', from: 'a@example.org' },
    ],
    [
      { entityType: 'Storage Class', name: 'second' },
      { type: 'local', folder: '/mnt/second' },
    ],
  ];
  for (const [target, settings] of kinds) {
    const { change } = await put(target, settings);
    expect(linesOf(change ? [change] : [])).toEqual([`created ${target.entityType} ${target.name}`]);
    // A password is a change each time.
    const again = Object.fromEntries(Object.entries(settings).filter(([setting]) => setting !== 'password'));
    expect(await put(target, again)).toMatchObject({ change: undefined });
  }
  expect(platform.limited.at(-1)?.[0]).toBe('umbrella-files');
  expect(await platform.apply(demoPlatform())).toEqual([]);
  for (const [target] of kinds.toReversed()) {
    expect(await deleteEntity(writer, target, {})).toMatchObject({ change: { change: 'deleted' } });
  }
});

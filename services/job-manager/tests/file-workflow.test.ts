import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it, onTestFinished } from 'vitest';
import { configurationWith } from './file-task-rig.ts';
import { makeZip } from './made-archives.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform } from './start-test-platform.ts';

const deliverAll = {
  name: 'deliver-all',
  steps: [
    { name: 'folder', uses: 'make-folder', with: { path: '/outbox/${{ job.id }}' } },
    {
      name: 'unpack',
      uses: 'unzip',
      with: { source: '${{ file.path }}', folder: "${{ steps['folder'].outputs.path }}" },
    },
    { name: 'found', uses: 'list', with: { folder: '/outbox/${{ job.id }}', pattern: '*.csv' } },
    { name: 'all', uses: 'merge', with: { sources: '${{ steps.found.outputs.paths }}', target: '/outbox/all.csv' } },
    {
      name: 'hand-over',
      uses: 'deliver',
      if: 'steps.found.outputs.count == 2',
      with: { source: '/outbox/all.csv', folder: 'globex-files:/inbox', receipt: '/outbox/receipt.json' },
    },
    { name: 'keep', uses: 'move', with: { source: '${{ file.path }}', target: '/loop/${{ file.name }}' } },
    { name: 'note', uses: 'set-metadata', with: { path: '/loop/${{ file.name }}', metadata: { state: 'delivered' } } },
    { name: 'clear', uses: 'delete', with: { path: '/outbox/${{ job.id }}', recursive: true } },
  ],
};

it(
  'a workflow of file tasks delivers what arrives to another partner, whose actions start',
  { timeout: 120_000 },
  async () => {
    const platform = await startTestPlatform();
    onTestFinished(() => platform[Symbol.asyncDispose]());
    const granted = [{ vfs: 'globex-files', path: '/inbox', rights: ['upload'] }];
    await platform.apply(configurationWith([], { workflow: deliverAll, grants: granted, filePattern: '*.zip' }));
    const globex = existing(await openDirectory({ db: platform.db }).findVfsByName('globex-files')).id;
    await platform.filebox.ensureFolders(globex, ['/inbox', '/readable'].map(parseVirtualPath));
    const manager = await startTestJobManager(platform);
    onTestFinished(() => manager[Symbol.asyncDispose]());

    const files = ['a.csv', 'b.csv', 'c.txt'].map((name) => ({ name, data: Buffer.from(`${name}\n`) }));
    await platform.deliver('/inbox/orders.zip', makeZip(files));
    const isConfirmed = async () =>
      (await platform.filebox.find(globex, parseVirtualPath('/readable/confirmed.txt'))) !== undefined;
    await waitFor(isConfirmed, { what: 'the action of the receiver to run', timeoutMs: 90_000 });
    const cleared = async () => (await platform.read('/outbox/receipt.json')) !== undefined;
    await waitFor(cleared, { what: 'the receipt' });
    const moved = async () => (await platform.read('/loop/orders.zip')) !== undefined;
    await waitFor(moved, { what: 'the archive to be moved', timeoutMs: 60_000 });
    const delivered = await platform.filebox.find(globex, parseVirtualPath('/inbox/all.csv'));
    expect(delivered).toMatchObject({ kind: 'file', size: 12, owner: 'acme' });
    expect(await platform.read('/inbox/orders.zip')).toBeUndefined();
  },
);
